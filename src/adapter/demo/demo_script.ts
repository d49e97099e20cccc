/**
 * The demo's scripts. A script is replayed from the conversation at every step, so it needs no memory and goes on after a restart: each
 * yielded move is answered with the results that the conversation already has, and the first move without results is the next one.
 */
import type { ChatMessage, LlmRequest } from '../../port/llm';
import type { DemoCall, DemoMove, Script } from './demo_move';
import { DEMO_TEXTS, type DemoLocale, type DemoTexts, introduce } from './demo_texts';
import { forget, recallAll, remember } from './memory_scripts';

interface Task {
  request: string;
  /** Results of the calls that were made for the request, in order. */
  done: { name: string; result: string }[];
  /** No tools are offered any more, because the limit of tool calls is reached. */
  isLastAnswer: boolean;
}

const LOCALES = ['zh-CN', 'en'] as const;
const NO_GREETING = "'?'";
const CODE = `const greeting = ${NO_GREETING};\n\nexport function greet(name) {\n  return \`\${greeting}, \${name}!\`;\n}\n`;
const MAX_GREETING = 60;
const MAX_RESULT = 4_000;
const MAX_NAME = 60;
const PROMPT_HEAD = 40;

/** The demo's next move, from the messages alone. Calls only tools that are offered, each call of a script at most once. */
export function nextMove({ messages, tools }: Pick<LlmRequest, 'messages' | 'tools'>): DemoMove {
  const { request, done, isLastAnswer } = readTask(messages, tools.length > 0);
  const { script, locale } = chooseScript(request, messages);
  if (!script) return { text: introduce(locale), calls: [] };
  if (isLastAnswer) return { text: DEMO_TEXTS[locale].outOfSteps, calls: [] };
  return replay(script, done, new Set(tools.map(tool => tool.function.name)));
}

function replay(script: Script, done: Task['done'], offered: ReadonlySet<string>): DemoMove {
  const left = [...done];
  let step = script.next();
  while (!step.done) {
    const { text, calls } = step.value;
    const results = calls.map(({ name }) => {
      const index = left.findIndex(call => call.name === name);
      return index < 0 ? undefined : left.splice(index, 1)[0]?.result;
    });
    const open = calls.filter(({ name }, i) => results[i] === undefined && offered.has(name));
    if (open.length > 0) return { text, calls: open };
    step = script.next(results);
  }
  return { text: step.value, calls: [] };
}

function chooseScript(request: string, messages: readonly ChatMessage[]): { script?: Script; locale: DemoLocale } {
  const wanted = plain(request);
  for (const locale of LOCALES) {
    const texts = DEMO_TEXTS[locale];
    if (wanted === plain(texts.requests.project)) return { locale, script: makeProject(texts) };
    if (texts.listPattern.test(request.trim())) return { locale, script: callOnce(texts, 'list_dir', {}) };
    if (texts.helpPattern.test(request.trim())) return { locale, script: say(introduce(locale)) };
    const [, hour = '8', task] = texts.jobPattern.exec(request.trim()) ?? [];
    if (task) return { locale, script: makeJob(texts, Number(hour), task) };
    const command = texts.runPattern.exec(request.trim())?.[1];
    if (command) return { locale, script: callOnce(texts, 'bash', { command }) };
    const fact = texts.rememberPattern.exec(request.trim())?.[1];
    if (fact) return { locale, script: remember(texts, fact) };
    if (texts.knownPattern.test(request.trim())) return { locale, script: recallAll(texts) };
    const unwanted = texts.forgetPattern.exec(request.trim())?.[1];
    if (unwanted) return { locale, script: forget(texts, unwanted) };
    const delegated = texts.delegatePattern.exec(request.trim())?.[1];
    if (delegated) return { locale, script: delegateTo(texts, delegated) };
    const wantedPlace = texts.lookPattern.exec(request.trim())?.[1];
    if (wantedPlace) return { locale, script: lookAt(texts, wantedPlace) };
  }
  const { content } = messages.find(({ role }) => role === 'system') ?? {};
  // Only the head of the prompt decides, because a skill or memory further down can be in another language.
  return { locale: /\p{Script=Han}/u.test(`${request}${content?.slice(0, PROMPT_HEAD)}`) ? 'zh-CN' : 'en' };
}

const plain = (text: string): string => text.toLowerCase().replace(/^\s+|[\s.!。！]+$/g, '');

// biome-ignore lint/correctness/useYield: a script without steps has its last text alone.
function* say(text: string): Script {
  return text;
}

function* callOnce(texts: DemoTexts, name: string, args: Record<string, unknown>): Script {
  const [result] = yield { text: '', calls: [{ name, args }] };
  return result === undefined ? texts.noTool(name) : `${texts.result(result.slice(0, MAX_RESULT))}\n\n${texts.connect}`;
}

function* makeJob(texts: DemoTexts, hour: number, task: string): Script {
  const args = { action: 'create', name: task.slice(0, MAX_NAME), schedule: { cron: `0 ${hour} * * *` }, input: task };
  const [result] = yield { text: '', calls: [{ name: 'cron', args }] };
  if (result === undefined) return texts.noTool('cron');
  const isMade = /^(?:Created the job|已创建任务)/.test(result);
  return `${isMade ? texts.jobMade(hour, task) : texts.failed(result.slice(0, MAX_RESULT))}\n\n${texts.connect}`;
}

/** The master's part: hands the look to the researcher and shows the report. */
function* delegateTo(texts: DemoTexts, what: string): Script {
  const args = { member: 'researcher', task: texts.lookTask(what), expected_output: texts.lookReport };
  const [report] = yield { text: texts.delegate, calls: [{ name: 'delegate_task', args }] };
  return report === undefined
    ? texts.noTool('delegate_task')
    : `${texts.reported(withoutHead(report).slice(0, MAX_RESULT))}\n\n${texts.connect}`;
}

/** Leaves out the first line of a report, which says how the task ended and what it cost. */
const withoutHead = (report: string): string => report.replace(/^[^\n]*\n\n/, '');

/** The member's part: reads a page, a file, or the list of files. */
function* lookAt(texts: DemoTexts, what: string): Script {
  const place = what.replace(/[`"'“”]/g, '').trim();
  const isPage = /^https?:\/\//.test(place);
  const isFile = /^\S+\.\w+$/.test(place);
  const call = isPage
    ? { name: 'fetch_page', args: { url: place } }
    : isFile
      ? { name: 'read_file', args: { path: place } }
      : { name: 'list_dir', args: {} };
  const [result] = yield { text: '', calls: [call] };
  return result === undefined ? texts.noTool(call.name) : texts.result(result.slice(0, MAX_RESULT));
}

function* makeProject(texts: DemoTexts): Script {
  const [listing = ''] = yield { text: texts.look, calls: [{ name: 'list_dir', args: {} }] };
  const folder = freeName(listing);
  const file = `${folder}/greet.js`;
  const [, ...written] = yield {
    text: texts.begin,
    calls: [plan(texts, 0), write(`${folder}/README.md`, texts.readme), write(file, CODE)],
  };
  if (written.includes(undefined)) return texts.noTool('write_file');
  const unwritten = written.find(result => !isChange(result));
  if (unwritten !== undefined) return texts.failed(unwritten);

  const [, answer] = yield {
    text: '',
    calls: [plan(texts, 1), { name: 'clarify', args: { question: texts.question, choices: texts.choices } }],
  };
  const greeting = answerOf(answer);
  const chosen = greeting ?? texts.choices[0] ?? '';
  const patch = { path: file, old_string: `const greeting = ${NO_GREETING};`, new_string: `const greeting = ${JSON.stringify(chosen)};` };
  const [, changed] = yield {
    text: greeting === undefined ? texts.noAnswer(chosen) : texts.change(chosen),
    calls: [plan(texts, 2), { name: 'patch', args: patch }],
  };
  if (changed === undefined) return texts.noTool('patch');
  if (!isChange(changed)) return texts.failed(changed);
  yield { text: '', calls: [plan(texts, 3)] };
  return `${texts.done(file, changed.slice(changed.indexOf('\n') + 1).trim())}\n\n${texts.connect}`;
}

/** The plan with its first `count` steps completed. */
function plan({ plan: steps }: DemoTexts, count: number): DemoCall {
  const statusOf = (i: number) => (i < count ? 'completed' : i === count ? 'in_progress' : 'pending');
  return { name: 'todo', args: { todos: steps.map((content, i) => ({ id: String(i + 1), content, status: statusOf(i) })) } };
}

const write = (path: string, content: string): DemoCall => ({ name: 'write_file', args: { path, content } });

/** Returns true when a result of write_file or patch says that the file was changed. */
const isChange = (result = ''): boolean => /^(?:Created|Overwrote|Changed|已创建|已覆盖|已修改)/.test(result);

function freeName(listing: string): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? 'first-steps' : `first-steps-${i}`;
    if (!listing.includes(`${name}/`)) return name;
  }
}

/** The answer stands below one line that ends with a colon; other results of clarify have no such line. */
function answerOf(result = ''): string | undefined {
  const answer = /^[^\n]{0,40}[:：]\s*\n(?<answer>.*)$/s.exec(result)?.groups?.['answer'] ?? '';
  return answer.trim().replace(/\s+/g, ' ').slice(0, MAX_GREETING) || undefined;
}

function readTask(messages: readonly ChatMessage[], hasTools: boolean): Task {
  const isLastAnswer = !hasTools && messages.at(-1)?.role === 'user' && messages.at(-2)?.role === 'tool';
  const turn = isLastAnswer ? messages.slice(0, -1) : messages;
  const last = turn.findLastIndex(({ role }) => role === 'user');
  const asked = turn[last - 1];
  const texts = LOCALES.map(locale => DEMO_TEXTS[locale]).find(
    ({ question }) => asked?.role === 'assistant' && asked.content?.includes(question),
  );
  const reply = turn[last]?.content ?? '';
  const first = turn.slice(0, last).findLastIndex(({ role }) => role === 'user');
  const isReply = texts !== undefined && first >= 0 && !chooseScript(reply, []).script;
  if (!isReply) return { request: reply, done: resultsAfter(turn, last), isLastAnswer };
  const answer = texts.choices[Number(reply.trim().replace(/[.)]$/, '')) - 1] ?? reply;
  const done = resultsAfter(turn, first).map(call => (call.name === 'clarify' ? { ...call, result: `:\n${answer}` } : call));
  return { request: turn[first]?.content ?? '', done, isLastAnswer };
}

function resultsAfter(messages: readonly ChatMessage[], index: number): Task['done'] {
  const names = new Map<string, string>();
  return messages.slice(index + 1).flatMap(message => {
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    return message.role === 'tool' ? [{ name: names.get(message.tool_call_id) ?? '', result: message.content }] : [];
  });
}
