/** Every built-in tool refuses in Chinese when its call is Chinese: no English sentence of a parser, an adapter or a port comes through. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { toWorkspaceError } from '../../src/adapter/local/workspace/workspace_errors';
import { createOpenMeteo } from '../../src/adapter/weather/open_meteo';
import { createWebAccess } from '../../src/adapter/web/web_access';
import { builtinTools } from '../../src/builtin_tools';
import { AppError } from '../../src/errors';
import { checkSchedule } from '../../src/feature/jobs/job_schedule';
import type { Workspace } from '../../src/port/workspace';
import { type ToolContext, ToolInputError } from '../../src/tools/common';
import { expectChinese } from '../support/chinese';
import { openWebBench, PAGE_WORKER, type WebBench } from '../support/web_bench';

const SOURCE = join(__dirname, '../../src');
const RESULT_MAKERS = new Set(['errorResult', 'textResult', 'failure']);

type Arguments = Record<string, unknown>;
type Refusal = [what: string, tool: string, args: Arguments, more?: Partial<ToolContext>];

/** A workspace in which every operation fails. */
const brokenWorkspace = (workspace: Workspace, code: string): Workspace =>
  new Proxy(workspace, {
    get(target, name) {
      if (name === 'root') return target.root;
      if (name === 'relative') return (path: string) => target.relative(path);
      if (name === 'lookAlikes') return async () => [];
      if (name === 'withFileLock') return (_path: string, work: () => Promise<unknown>) => work();
      return () => Promise.reject(toWorkspaceError({ code }, 'a.txt'));
    },
  });

const jobs = {
  timeZone: 'UTC',
  createJob: async ({ schedule }: { schedule: object }) => {
    await checkSchedule(schedule, { now: Date.UTC(2026, 0, 1), timeZone: 'UTC' });
    throw new AppError('store_unavailable');
  },
  runJobNow: () => Promise.reject(new AppError('not_found')),
} as unknown as NonNullable<ToolContext['jobs']>;
const every = { name: 'a', input: 'b', action: 'create' };

const FILE_CALLS: [tool: string, args: Arguments][] = [
  ['read_file', { path: 'a.txt' }],
  ['write_file', { path: 'a.txt', content: 'x' }],
  ['list_dir', { path: 'a' }],
  ['patch', { path: 'a.txt', old_string: 'x', new_string: 'y' }],
  ['file_read', { path: 'a.txt' }],
  ['file_write', { path: 'a.txt', content: 'x', mode: 'append' }],
  ['file_delete', { path: 'a.txt' }],
  ['file_list', { path: 'a' }],
  ['file_exists', { path: 'a.txt' }],
  ['file_mkdir', { path: 'a/b' }],
  ['search', { pattern: 'x', path: 'a' }],
];

const CALCULATIONS = [
  ...['1/0', '0**-1', '2**9999999', '9**9999', '10**-2000', '(-8)**0.5', 'sqrt(-1)', 'log(0)', 'log(2, 1)', 'exp(9999)', 'sin(1e40)'],
  ...['round(1, 0.5)', 'sqrt(1, 2)', 'log()', 'x + 1', 'sqrt', 'run(1)', '(1)(2)', '1 2', '1,000', '(1,2)', '()', '1 +', '(1', '2a', '1e'],
  ...['2 ^ 3', '"a"', '5 § 3', ' ', '\u200b', 'a.b', '1 / 2 /', '('.repeat(70), '2**1+'.repeat(120)],
];

const JSONS = ['', '{', '{"a":1,}', 'x', '[1 2]', '"a', `${'['.repeat(70)}`, 'nul', '{"a":\n\t1e}'];

const ADDRESSES = [
  ...['/missing', '/image', '/forged-type', '/bad-pdf', '/damaged', '/odd-packing', '/loop', '/to-private', '/to-metadata', '/broken'],
  ...['/to-decimal', '/to-file', '/to-login', 'example.com', 'ftp://example.com', 'http://10.0.0.1/', 'http://example.com:22/'],
  ...['http://[::1]/', 'http://no-such-host.invalid/', 'https://user:pass@example.com/'],
];

const SCHEDULES = [
  ...[{ cron: '* * * * * *' }, { cron: '2030-01-01' }, { cron: '99 * * * *' }, { cron: 'x y z a b' }, { cron: '0 8 31 2 *' }, {}],
  ...[
    { everyMs: 1 },
    { at: '2020-01-01T00:00:00Z' },
    { at: 'soon' },
    { cron: '0 8 * * *', timeZone: 'Mars/Base' },
    { everyMs: 60_000, at: 'x' },
  ],
];

const PATTERNS = ['(', '[a', 'a**', '(?=x)', '\\1', 'x{5,2}', '*', '[z-a]', '\\', '(?P<a'];

const OTHERS: Refusal[] = [
  ['a NUL character', 'bash', { command: 'a\0b' }],
  ['a failing command', 'bash', { command: 'exit 3' }],
  ['an overdue command', 'bash', { command: 'sleep 5', timeout_ms: 100 }],
  ['no terminal', 'terminal', { command: 'ls' }],
  ['an unknown zone', 'current_time', { time_zone: 'Mars/Base' }],
  ['two running items', 'todo', { todos: ['a', 'b'].map(id => ({ id, content: id, status: 'in_progress' })) }],
  ['nobody to ask', 'clarify', { question: 'q' }],
  ['a list', 'json_process', { json_string: '[1]', operation: 'keys' }],
  ['no date', 'session_search', { query: 'x', since: '2026-02-31' }],
  ['no search', 'session_search', { query: 'x' }],
  ['no engine', 'web_search', { query: 'x', engine: 'altavista' }],
  ['an engine that is not set up', 'web_search', { query: 'x', engine: 'brave' }],
  ['a blank address', 'crawl_batch', { urls: ['http://10.0.0.1/', 'x'] }],
  ['no memory', 'memory_save', { text: 'x' }],
  ['no memory', 'memory_recall', { query: 'x' }],
  ['no memory', 'memory_forget', { id: 'x' }],
  ['no skills', 'read_skill', { name: 'x' }],
  ['no skills', 'read_skill_file', { name: 'x', path: 'y' }],
  ['a missing field', 'skill_manage', { action: 'create', name: 'brewing' }],
  ['a SKILL.md without front matter', 'skill_manage', { action: 'create', name: 'brewing', content: 'Boil.' }],
  ['a foreign field', 'skill_manage', { action: 'delete', name: 'brewing', content: 'x' }],
  ['no crew', 'delegate_task', { task: 'x' }],
  ['no crew', 'delegate_parallel', { tasks: [{ task: 'x' }, { task: 'y' }] }],
  ['no crew', 'escalate', { question: 'x' }],
  ['no jobs', 'cron', { action: 'list' }],
  ['a missing field', 'cron', { action: 'create' }, { jobs }],
  ['an error without its own text', 'cron', { ...every, schedule: { everyMs: 60_000 } }, { jobs }],
  ['a pattern that is none', 'file_list', { pattern: '[' }],
  ['an empty quotation', 'patch', { path: 'lines.txt', old_string: '', new_string: 'x' }],
  ['no match', 'patch', { path: 'lines.txt', old_string: 'lime 3 is here\nline 4', new_string: 'x' }],
  ['a binary file', 'read_file', { path: 'binary' }],
  ['a line beyond the end', 'read_file', { path: 'lines.txt', offset: 99_999 }],
];

const rowsOf = (
  tool: string,
  values: readonly unknown[],
  toArgs: (value: never) => Arguments,
  more: Partial<ToolContext> = {},
): Refusal[] => values.map(value => [JSON.stringify(value).slice(0, 40), tool, toArgs(value as never), more]);

const REFUSALS: Refusal[] = [
  ...OTHERS,
  ...rowsOf('calculator', CALCULATIONS, expression => ({ expression })),
  ...rowsOf('json_process', JSONS, json_string => ({ json_string, operation: 'format' })),
  ...rowsOf('fetch_page', ADDRESSES, url => ({ url })),
  ...rowsOf('cron', SCHEDULES, schedule => ({ ...every, schedule }), { jobs }),
  ...rowsOf('search', PATTERNS, pattern => ({ pattern })),
];

describe('a Chinese call', () => {
  let web: WebBench;

  beforeAll(async () => {
    web = await openWebBench();
    await web.bench.put('lines.txt', Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`).join(''));
    await web.bench.put('binary', Buffer.from([0, 1, 2, 0, 255, 254]));
  });
  afterAll(() => web.close());

  async function answerTo(name: string, args: Arguments, more: Partial<ToolContext> = {}): Promise<string> {
    const tool = builtinTools().find(builtin => builtin.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const { url } = args;
    const own = typeof url === 'string' && url.startsWith('/') ? { ...args, url: web.site.url(url) } : args;
    try {
      return (await tool.execute(own, { ...web.bench.ctx, web: web.web, ...more, locale: 'zh-CN' })).content;
    } catch (thrown) {
      if (thrown instanceof ToolInputError) return thrown.messageZh;
      throw thrown;
    }
  }

  it.each(REFUSALS)('is refused in Chinese: %s, %s', async (_what, tool, args, more = {}) => {
    expectChinese(await answerTo(tool, args, more));
  });

  it.each(FILE_CALLS)('is refused in Chinese when the file system fails: %s', async (tool, args) => {
    for (const code of ['EROFS', 'EACCES', 'EIO', 'ENOSPC', 'ENOTDIR', 'EISDIR', 'ENOENT']) {
      expectChinese(await answerTo(tool, args, { workspace: brokenWorkspace(web.bench.ctx.workspace, code) }));
    }
  });

  it.each([
    ['an error', 500, ''],
    ['no JSON', 200, '<p>'],
    ['no numbers', 200, '{"results":[{"name":"Oslo","latitude":1,"longitude":1}]}'],
  ])('is refused in Chinese when the weather service answers with %s', async (_what, status, body) => {
    const page = { url: '', finalUrl: '', status, contentType: '', bytes: Buffer.from(body), clipped: false };
    const weather = createOpenMeteo({ fetch: async () => page });
    expectChinese(await answerTo('get_weather', { city: 'Oslo' }, { weather }));
    expectChinese(await answerTo('get_weather', { city: 'Oslo' }));
  });

  it('is told in Chinese how to set up a search', async () => {
    const bare = createWebAccess({ fetchAllow: [], duckDuckGo: false }, { worker: PAGE_WORKER });
    expectChinese(await answerTo('web_search', { query: 'x' }, { web: bare }));
    await bare.close();
  });

  it('reads in Chinese what is missing in a long diff and in long output', async () => {
    const lines = (word: string) => Array.from({ length: 1_500 }, (_, i) => `${word} ${i}\n`).join('');
    await web.bench.put('long.txt', lines('old'));
    const diff = await answerTo('patch', { path: 'long.txt', old_string: lines('old'), new_string: lines('new') });
    expect(diff).toMatch(/\[\.\.\. (?:diff 还有 \d+ 行|后面还有改动) \.\.\.\]$/);
    expectChinese(diff);
    expect(await answerTo('bash', { command: 'seq 1 60000' })).toMatch(/\[\.\.\. 省略 \d+ 字节 \.\.\.\]/);
  });

  it('covers every built-in tool', () => {
    const tested = new Set([...REFUSALS.map(([, tool]) => tool), ...FILE_CALLS.map(([tool]) => tool), 'get_weather']);
    const untested = builtinTools().flatMap(({ name }) => (tested.has(name) ? [] : [name]));
    // These two never refuse a valid call.
    expect(untested).toEqual(['text_process', 'echo']);
  });
});

/** The results of tools that are given as one text, without `inLocale`, and hold English words. */
function englishResults(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !RESULT_MAKERS.has(node.expression.getText())) return;
    const [content] = node.arguments;
    if (
      content &&
      (ts.isStringLiteralLike(content) || ts.isTemplateExpression(content)) &&
      /[A-Za-z]{2,} [a-z]{2,} /.test(content.getText())
    )
      found.push(content.getText());
  };
  visit(source);
  return found;
}

it('no tool gives a result in English alone', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'));
  expect(files.flatMap(path => englishResults(join(SOURCE, path)))).toEqual([]);
});
