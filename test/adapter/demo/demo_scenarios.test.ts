/** The demo model in the real loop, with the real tools in a real directory. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemoLlm } from '../../../src/adapter/demo/demo_llm';
import { createSystemClock } from '../../../src/adapter/local/clock';
import { createIdSource } from '../../../src/adapter/local/ids';
import { createLocalShell } from '../../../src/adapter/local/shell';
import { openWorkspace } from '../../../src/adapter/local/workspace';
import type { ChatMessage } from '../../../src/port/llm';
import type { TodoItem } from '../../../src/port/run_event';
import { type AgentOutcome, runAgent } from '../../../src/runtime/agent';
import { TodoStore } from '../../../src/runtime/todo_store';
import { assembleTools } from '../../../src/runtime/tool_assembler';
import { builtinTools, TOOLSET_DEFAULTS } from '../../../src/tools/catalog';
import type { ClarifyOutcome } from '../../../src/tools/common';
import { shellLimits } from '../../support/shell_limits';

interface TalkOptions {
  locale?: 'en' | 'zh-CN';
  /** Answers to questions, in order; undefined = nobody answers. Without it questions are handed over as text. */
  answers?: (string | undefined)[];
  toolNames?: string[];
  maxToolIterations?: number;
}

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'demo-'));
  await writeFile(join(root, 'letter.md'), 'Dear Ann,\nhello from the sea.\nhello again\n');
  await writeFile(join(root, 'notes.txt'), 'hello world\nsecond line\n');
  await mkdir(join(root, 'docs'));
  await writeFile(join(root, 'docs', 'guide.md'), 'Read me first\n');
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** A conversation: `say` runs one turn and gives back how it ended. */
async function startTalk(options: TalkOptions = {}) {
  const { locale = 'en', answers, maxToolIterations = 25 } = options;
  const clock = createSystemClock();
  const workspace = await openWorkspace(root);
  const plans: TodoItem[][] = [];
  const asked: { question: string; choices?: string[] }[] = [];
  const pending = [...(answers ?? [])];
  const wanted = options.toolNames ? { toolsets: [], names: options.toolNames } : { toolsets: TOOLSET_DEFAULTS };
  const history: ChatMessage[] = [];
  const askPerson = async (ask: { question: string; choices?: string[] }): Promise<ClarifyOutcome> => {
    asked.push({ question: ask.question, ...(ask.choices && { choices: ask.choices }) });
    const answer = pending.shift();
    return answer === undefined ? { status: 'expired' } : { status: 'answered', answer };
  };
  const say = async (text: string): Promise<AgentOutcome> => {
    history.push({ role: 'user', content: text });
    return runAgent({
      llm: createDemoLlm({ delayMs: 0 }),
      thinkingLevel: 'off',
      locale,
      systemPrompt: 'You are an agent.',
      history,
      tools: assembleTools(builtinTools(), wanted, locale),
      toolContext: {
        tenantId: 'test',
        locale,
        workspace,
        shell: createLocalShell({ root: workspace.root, environment: process.env, limits: shellLimits() }),
        todos: new TodoStore(plans.at(-1) ?? [], todos => plans.push(todos)),
        ...(answers && { askPerson }),
      },
      limits: { maxToolIterations, maxContextMessages: 200, contextTokens: 128_000 },
      signal: new AbortController().signal,
      usage: { inputTokens: 0, outputTokens: 0 },
      journal: { delta: () => {}, record: async () => {} },
      clock,
      ids: createIdSource(clock),
    });
  };
  return { say, history, plans, asked, calls: () => callsOf(history) };
}

const callsOf = (history: readonly ChatMessage[]): string[] =>
  history.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []).map(call => call.function.name) : []));

const fileNow = (name: string) => readFile(join(root, name), 'utf8');
const marksOf = (plan: readonly TodoItem[] | undefined) => plan?.map(item => item.status);

describe('list the files, change a word in one, ask me which', () => {
  const CONVERSATIONS: [locale: 'en' | 'zh-CN', request: string, words: string][] = [
    ['en', 'list the files, change a word in one, ask me which', 'hello to goodbye'],
    ['zh-CN', '列出文件，改其中一个里的一个词，问我改哪个', '把 hello 改成 goodbye'],
    ['zh-CN', 'List the files, change a word in one, ask me which', 'hello -> goodbye'],
    ['en', '列出文件，改其中一个里的一个词，问我改哪个', '“hello”换成“goodbye”'],
  ];

  it.each(CONVERSATIONS)('is done in one run when the questions are answered (%s, %j)', async (locale, request, words) => {
    const talk = await startTalk({ locale, answers: ['notes.txt', words] });
    const outcome = await talk.say(request);
    expect(talk.calls()).toEqual(['todo', 'list_dir', 'todo', 'clarify', 'todo', 'read_file', 'clarify', 'patch', 'todo']);
    expect(talk.asked[0]?.choices).toEqual(['letter.md', 'notes.txt']);
    expect(talk.asked[1]?.choices).toBeUndefined();
    expect(await fileNow('notes.txt')).toBe('goodbye world\nsecond line\n');
    expect(outcome.status).toBe('completed');
    expect(outcome.text).toContain('`notes.txt`');
    expect(outcome.text).toContain('`goodbye`');
    expect(/\p{Script=Han}/u.test(outcome.text)).toBe(/\p{Script=Han}/u.test(request));
    expect(talk.plans.map(plan => marksOf(plan))).toEqual([
      ['in_progress', 'pending', 'pending'],
      ['completed', 'in_progress', 'pending'],
      ['completed', 'completed', 'in_progress'],
      ['completed', 'completed', 'completed'],
    ]);
  });

  it.each([
    ['en' as const, 'list the files, change a word in one, ask me which', ['2', 'hello to goodbye']],
    ['en' as const, 'list the files, change a word in one, ask me which', ['the second one', 'change "hello" to "goodbye"']],
    ['zh-CN' as const, '列出文件，改其中一个里的一个词，问我改哪个', ['第二个', 'hello 改成 goodbye']],
  ])('goes on with the next message where nobody can be waited for (%s, neta.clarify.degraded)', async (locale, request, [file, words]) => {
    const talk = await startTalk({ locale });
    const first = await talk.say(request);
    expect(first.question?.choices).toEqual(['letter.md', 'notes.txt']);
    const second = await talk.say(file ?? '');
    expect(second.question?.question).toContain('notes.txt');
    const third = await talk.say(words ?? '');
    expect(third.question).toBeUndefined();
    expect(await fileNow('notes.txt')).toBe('goodbye world\nsecond line\n');
    expect(talk.calls()).toEqual(['todo', 'list_dir', 'todo', 'clarify', 'todo', 'read_file', 'clarify', 'patch', 'todo']);
    expect(marksOf(talk.plans.at(-1))).toEqual(['completed', 'completed', 'completed']);
  });

  it('works in pieces', async () => {
    const talk = await startTalk({ answers: ['notes'] });
    await talk.say('list the files');
    await talk.say('now change hello to goodbye in one of them, ask me which');
    expect(await fileNow('notes.txt')).toBe('goodbye world\nsecond line\n');
    const outcome = await talk.say('read it');
    expect(outcome.text).toContain('goodbye world');
    expect(talk.asked).toHaveLength(1);
  });

  it('takes the first file when nobody answers, and changes nothing without a word', async () => {
    const talk = await startTalk({ answers: [] });
    const outcome = await talk.say('list the files, change a word in one, ask me which');
    expect(talk.asked).toHaveLength(2);
    expect(outcome.text).toContain('`letter.md`');
    expect(outcome.text).toContain('no word to change');
    expect(marksOf(talk.plans.at(-1))).toEqual(['completed', 'completed', 'cancelled']);
    expect(await fileNow('letter.md')).toContain('hello from');
  });

  it('asks once more when the answer names no two words, then gives up', async () => {
    const talk = await startTalk({ answers: ['notes.txt', 'hello', 'no idea'] });
    const outcome = await talk.say('list the files, change a word in one, ask me which');
    expect(talk.asked).toHaveLength(3);
    expect(outcome.text).toContain('no word to change');
    expect(await fileNow('notes.txt')).toContain('hello world');
  });

  it('takes a new request for a new request, though a question is open', async () => {
    const talk = await startTalk();
    await talk.say('list the files, change a word in one, ask me which');
    const outcome = await talk.say('read docs/guide.md');
    expect(outcome.text).toContain('Read me first');
    expect(talk.calls().slice(-1)).toEqual(['read_file']);
  });

  it('understands the answer when the history has only texts', async () => {
    const before = await startTalk();
    const { text } = await before.say('change hello to goodbye in one of the files');
    const talk = await startTalk({ answers: [] });
    talk.history.push({ role: 'user', content: 'change hello to goodbye in one of the files' }, { role: 'assistant', content: text });
    await talk.say('notes.txt');
    expect(talk.asked).toHaveLength(0);
    expect(await fileNow('notes.txt')).toBe('goodbye world\nsecond line\n');
  });
});

describe('single requests', () => {
  it.each([
    ['list the files', ['list_dir'], ['`letter.md`', '`notes.txt`', '`docs/`']],
    ['列出 docs 目录下的文件', ['list_dir'], ['`guide.md`', '`docs`']],
    ['read notes.txt', ['read_file'], ['hello world\nsecond line']],
    ['run `echo one; echo two`', ['bash'], ['one\ntwo']],
    ['运行 echo 好', ['bash'], ['好']],
    ['change "hello world" to "hi there" in notes.txt', ['read_file', 'patch'], ['`hi there`']],
    ['把 letter.md 里的 hello 改成 hi', ['read_file', 'patch'], ['共 2 处']],
    ['create new/todo.txt with "buy milk"', ['write_file'], ['`new/todo.txt`']],
  ])('does %j', async (request, calls, said) => {
    const talk = await startTalk({ answers: [] });
    const outcome = await talk.say(request);
    expect(talk.calls()).toEqual(calls);
    for (const words of said) expect(outcome.text).toContain(words);
    expect(talk.plans).toEqual([]);
  });

  it.each([
    ['read nothing.txt', 'There is no nothing.txt'],
    ['list the files in nowhere', 'There is no nowhere'],
    ['run exit 3', 'Exit code 3'],
    ['change sun to moon in notes.txt', '`sun` does not occur in `notes.txt`'],
    ['read ../secret.txt', 'leads out of the workspace'],
    ['把 notes.txt 里的 sun 改成 moon', '里没有 `sun`'],
  ])('tells in plain words that %j failed', async (request, said) => {
    const outcome = await (await startTalk({ answers: [] })).say(request);
    expect(outcome.status).toBe('completed');
    expect(outcome.text).toContain(said);
  });

  it('plans and ticks off several steps', async () => {
    const talk = await startTalk({ answers: [] });
    const outcome = await talk.say('plan my day: get up; read notes.txt; run echo done');
    expect(talk.calls()).toEqual(['todo', 'todo', 'read_file', 'todo', 'bash', 'todo']);
    expect(talk.plans.at(-1)?.map(item => item.content)).toEqual(['get up', 'read notes.txt', 'run echo done']);
    expect(marksOf(talk.plans.at(-1))).toEqual(['completed', 'completed', 'completed']);
    expect(outcome.text).toContain('hello world');
    expect(outcome.text).toContain('only ticked off');
  });

  it.each(['make a plan to learn Finnish', '制定计划学芬兰语'])('makes a plan of its own for %j', async request => {
    const talk = await startTalk({ answers: [] });
    await talk.say(request);
    expect(talk.plans[0]).toHaveLength(3);
    expect(marksOf(talk.plans.at(-1))).toEqual(['completed', 'completed', 'completed']);
  });

  it('asks a question and uses the answer', async () => {
    const talk = await startTalk({ answers: ['green'] });
    expect((await talk.say('ask me: red, green or blue?')).text).toContain('`green`');
    expect(talk.asked[0]?.choices).toEqual(['red', 'green', 'blue']);
  });

  it('lets the person pick a file and reads it', async () => {
    const talk = await startTalk({ answers: ['1'] });
    const outcome = await talk.say('列出文件，问我读哪个，然后读它');
    expect(talk.asked[0]?.choices).toEqual(['letter.md', 'notes.txt']);
    expect(outcome.text).toContain('Dear Ann');
  });

  it.each([
    ['hello', 'demo mode'],
    ['what can you do?', 'OPENAI_API_KEY'],
    ['你好', '没有 AI'],
    ['帮助', 'OPENAI_API_KEY'],
    ['write me a poem about the sea', 'did not understand'],
    ['remember that I like tea', 'Memory is not enabled'],
    ['你记得什么？', '没有启用记忆'],
  ])('answers %j without a tool', async (request, said) => {
    const talk = await startTalk({ answers: [] });
    expect((await talk.say(request)).text).toContain(said);
    expect(talk.calls()).toEqual([]);
  });
});

describe('limits', () => {
  it.each([
    ['read notes.txt', ['list_dir'], []],
    ['list the files, change a word in one, ask me which', ['bash', 'read_file', 'write_file', 'list_dir', 'patch'], ['list_dir']],
    ['run ls', [], []],
    ['list the files, then read notes.txt', ['todo'], ['todo', 'todo', 'todo']],
  ])('calls only offered tools for %j with %j', async (request, toolNames, calls) => {
    const talk = await startTalk({ answers: [], toolNames });
    const outcome = await talk.say(request);
    expect(outcome.status).toBe('completed');
    expect(talk.calls()).toEqual(calls);
    expect(outcome.text).not.toBe('');
  });

  it('says what is done when no more calls are allowed', async () => {
    const talk = await startTalk({ answers: [], maxToolIterations: 2 });
    const outcome = await talk.say('list the files, read notes.txt, run ls');
    expect(outcome.status).toBe('incomplete');
    expect(outcome.text).toContain('no more tool calls');
    expect(outcome.text).toContain('`letter.md`');
  });
});
