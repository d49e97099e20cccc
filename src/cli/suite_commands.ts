/** The command suite: keeps runs as cases of suites, replays and checks them. */
import { writeFile } from 'node:fs/promises';
import type { SuiteCases, SuiteResult } from '../../clients/typescript/src/types';
import { type Command, EXIT, type Invocation, list, UsageError } from './command';
import { describeCheck, toJunit } from './junit';
import { withoutControls } from './output';
import { REPLAY_OPTIONS, textOf } from './replay_commands';
import { TEXTS } from './texts';
import { untilInterrupted } from './until_interrupted';

const DEFAULT_SUITE = 'default';

const ACTIONS: Readonly<Record<string, (invocation: Invocation, words: readonly string[]) => Promise<number>>> = {
  add,
  run,
  list: listSuites,
  remove,
};

const suite: Command = {
  usage: '<add|run|list|remove> [run|suite] [case]',
  summary: {
    en: 'Keep runs as cases of suites, replay and check them: add <run>, run [suite] [case], list [suite], remove <suite> [case]',
    'zh-CN': '把运行保存为测试集的用例，重放并检查：add <run>、run [suite] [case]、list [suite]、remove <suite> [case]',
  },
  options: {
    name: { type: 'string', summary: { en: 'add: the suite; default "default"', 'zh-CN': 'add：测试集；默认 "default"' } },
    title: { type: 'string', summary: { en: 'add: title of the case', 'zh-CN': 'add：用例的标题' } },
    contains: { type: 'string', summary: { en: 'add: a text that the answer must contain', 'zh-CN': 'add：回答必须包含的文本' } },
    calls: { type: 'string', summary: { en: 'add: a tool that must be called', 'zh-CN': 'add：必须调用的工具' } },
    'cost-at-most': { type: 'string', summary: { en: 'add: most cost in USD', 'zh-CN': 'add：最高费用，美元' } },
    'same-calls': {
      type: 'boolean',
      summary: { en: 'add: the calls must be the same (the default check)', 'zh-CN': 'add：调用必须相同（默认的检查）' },
    },
    'same-answer': { type: 'boolean', summary: { en: 'add: the answer must be the same', 'zh-CN': 'add：回答必须相同' } },
    judge: {
      type: 'string',
      summary: { en: 'add: a criterion by which a model judges the answer', 'zh-CN': 'add：由模型据以评判回答的标准' },
    },
    ...REPLAY_OPTIONS,
    junit: { type: 'string', summary: { en: 'run: write a JUnit report to this file', 'zh-CN': 'run：把 JUnit 报告写入此文件' } },
  },
  run(invocation) {
    const [action = '', ...words] = invocation.args;
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!act) throw new UsageError(`neta suite ${Object.keys(ACTIONS).join(' | ')}`);
    return act(invocation, words);
  },
};

async function add(invocation: Invocation, [runId]: readonly string[]): Promise<number> {
  const { client, output, options } = invocation;
  if (runId === undefined) throw new UsageError('neta suite add <run>');
  const body = { runId, name: textOf(options['name']) ?? DEFAULT_SUITE, title: textOf(options['title']), checks: checksOf(options) };
  const added = await client.request('post', '/api/v1/suites', { body });
  if (output.isJson) output.json(added);
  else output.line(`${added.suite} · ${added.id} · ${withoutControls(added.title)}`);
  return EXIT.done;
}

/** Undefined without an option for a check: the gateway then chooses. */
function checksOf(options: Invocation['options']) {
  const [contains, calls, cost, judge] = ['contains', 'calls', 'cost-at-most', 'judge'].map(name => textOf(options[name]));
  const sameCalls = options['same-calls'] === true ? (true as const) : undefined;
  const sameAnswer = options['same-answer'] === true ? (true as const) : undefined;
  if ([contains, calls, cost, judge, sameCalls, sameAnswer].every(value => value === undefined)) return undefined;
  const costAtMostUsd = cost === undefined ? undefined : Number(cost);
  if (costAtMostUsd !== undefined && !(costAtMostUsd >= 0)) throw new UsageError('--cost-at-most USD');
  return {
    answerContains: contains === undefined ? undefined : [contains],
    toolsCalled: calls === undefined ? undefined : [calls],
    costAtMostUsd,
    sameCalls,
    sameAnswer,
    judge,
  };
}

/** Without a name runs all suites, with a case this case alone. Ends with 1 when a case fails. The report is written also when the command breaks off. */
async function run(invocation: Invocation, [name, caseId]: readonly string[]): Promise<number> {
  const { client, options, language } = invocation;
  const junit = textOf(options['junit']);
  const planned: SuiteCases[] = [];
  const results: SuiteResult[] = [];
  let problem: string | undefined = TEXTS.interrupted[language];
  try {
    const code = await untilInterrupted(invocation, async signal => {
      const names = name === undefined ? (await client.request('get', '/api/v1/suites')).data.map(row => row.name) : [name];
      if (junit !== undefined) for (const each of names) planned.push(await readPlanned(invocation, each, caseId));
      return runSuites(invocation, { names, caseId, results }, signal);
    });
    if (code !== EXIT.interrupted) problem = undefined;
    return code;
  } catch (thrown) {
    problem = thrown instanceof Error ? thrown.message : String(thrown);
    throw thrown;
  } finally {
    const unfinished = problem === undefined ? undefined : { suites: planned.slice(results.length), problem };
    if (junit !== undefined) await writeFile(junit, toJunit(results, unfinished));
  }
}

/** The cases that are about to run. */
async function readPlanned({ client }: Invocation, name: string, caseId: string | undefined): Promise<SuiteCases> {
  const { cases } = await client.request('get', '/api/v1/suites/{name}', { path: { name } });
  return { name, cases: cases.filter(({ id }) => caseId === undefined || id === caseId) };
}

/** Runs the suites one after the other, and adds each result to `results`. */
async function runSuites(
  invocation: Invocation,
  { names, caseId, results }: { names: readonly string[]; caseId: string | undefined; results: SuiteResult[] },
  signal: AbortSignal,
): Promise<number> {
  const { output, options, language } = invocation;
  const body = { model: textOf(options['model']) };
  const paidClient = invocation.clientForPaidRequests();
  for (const name of names) {
    const result = await (caseId === undefined
      ? paidClient.request('post', '/api/v1/suites/{name}/run', { path: { name }, body, signal })
      : paidClient.request('post', '/api/v1/suites/{name}/cases/{caseId}/run', { path: { name, caseId }, body, signal }));
    if (output.isJson) output.json(result);
    else showResult(result, invocation);
    results.push(result);
  }
  if (names.length === 0 && !output.isJson) output.note(TEXTS.none[language]);
  return results.every(({ failed }) => failed === 0) ? EXIT.done : EXIT.failed;
}

function showResult({ name, passed, failed, cases }: SuiteResult, { output }: Invocation): void {
  for (const row of cases) {
    output.line(`${row.passed ? output.styled('green', '✓') : output.styled('red', '✗')} ${withoutControls(row.title)} (${row.runId})`);
    for (const check of row.checks) if (!check.passed) output.line(`  ${withoutControls(describeCheck(check))}`);
  }
  output.line(`${name}: ${passed} ✓ ${failed} ✗`);
}

async function listSuites(invocation: Invocation, [name]: readonly string[]): Promise<number> {
  const { client } = invocation;
  if (name === undefined) {
    const { data } = await client.request('get', '/api/v1/suites');
    return list(invocation, data, ({ name: suiteName, cases, passed, failed, ranAt }) => ({
      suite: suiteName,
      cases,
      passed,
      failed,
      ran: ranAt,
    }));
  }
  const { cases } = await client.request('get', '/api/v1/suites/{name}', { path: { name } });
  return list(invocation, cases, ({ id, runId, title, outcome }) => ({ id, run: runId, passed: outcome?.passed, title }));
}

async function remove({ client, output, language }: Invocation, [name, caseId]: readonly string[]): Promise<number> {
  if (name === undefined) throw new UsageError('neta suite remove <suite> [case]');
  if (caseId === undefined) await client.request('delete', '/api/v1/suites/{name}', { path: { name } });
  else await client.request('delete', '/api/v1/suites/{name}/cases/{caseId}', { path: { name, caseId } });
  if (!output.isJson) output.line(TEXTS.deleted[language]);
  return EXIT.done;
}

export const SUITE_COMMANDS = { suite };
