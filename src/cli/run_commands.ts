/** Commands for runs and questions: run, tail, answer, approve, cancel. */
import { showInvisible } from '../utils/invisible_text';
import { type Command, EXIT, UsageError } from './command';
import { askAtTerminal, exitCodeOf, showEvents } from './follow_run';
import { TEXTS } from './texts';
import { untilInterrupted } from './until_interrupted';

const run: Command = {
  usage: '<text ...>',
  summary: {
    en: 'Give the agent a task and follow it; "-" reads the text from stdin',
    'zh-CN': '把任务交给智能体并跟踪执行；"-" 从标准输入读取文本',
  },
  options: {
    agent: { type: 'string', summary: { en: 'name of the agent', 'zh-CN': '智能体的名字' } },
    session: { type: 'string', summary: { en: 'continue this session', 'zh-CN': '继续这个会话' } },
    model: { type: 'string', summary: { en: 'id of the model', 'zh-CN': '模型的 id' } },
  },
  async run(invocation) {
    const { args, options, client } = invocation;
    const input = args.join(' ') === '-' ? await readStdin() : args.join(' ');
    const text = (name: string): string | undefined => options[name] as string | undefined;
    const [agent, sessionId, model] = [text('agent'), text('session'), text('model')];
    const request = { input, agent: agent || undefined, sessionId: sessionId || undefined, model: model || undefined };
    return untilInterrupted(invocation, async signal => {
      const result = await client.run(request, { onEvent: showEvents(invocation), signal, ...askAtTerminal(invocation, signal) });
      return exitCodeOf(result, invocation);
    });
  },
};

const tail: Command = {
  usage: '<run>',
  summary: { en: 'Follow a run to its end; Ctrl+C leaves it running', 'zh-CN': '跟踪一个运行直到结束；Ctrl+C 只离开，不会停止它' },
  async run(invocation) {
    const opened = invocation.client.openRun(invocation.args[0] ?? '');
    const show = showEvents(invocation);
    for await (const event of opened) show(event);
    return exitCodeOf(await opened.result(), invocation);
  },
};

const answer: Command = {
  usage: '<question> <text ...>',
  summary: { en: 'Answer a question; "neta questions" lists them', 'zh-CN': '回答一个问题；"neta questions" 列出问题' },
  async run({ args: [requestId = '', ...words], client, output, language }) {
    const row = await client.request('post', '/api/v1/clarifications/{requestId}', {
      path: { requestId },
      body: { answer: words.join(' ') },
    });
    if (output.isJson) output.json(row);
    else output.line(TEXTS.answered[language]);
    return EXIT.done;
  },
};

const DECISIONS = ['allow_once', 'allow_session', 'deny'] as const;

const approve: Command = {
  usage: '<request> [allow_once|allow_session|deny]',
  summary: { en: 'Decide about a tool call that waits; default allow_once', 'zh-CN': '决定等待中的工具调用；默认 allow_once' },
  async run({ args: [requestId = '', word = 'allow_once'], client, output, language }) {
    const decision = DECISIONS.find(known => known === word);
    if (!decision) throw new UsageError(DECISIONS.join(' | '));
    const row = await client.request('post', '/api/v1/approvals/{requestId}', { path: { requestId }, body: { decision } });
    const { status, needed = 1, approvals = [] } = row;
    if (output.isJson) output.json(row);
    else output.line(status === 'pending' ? `${TEXTS.saidYes[language]}: ${approvals.length}/${needed}` : TEXTS.decided[language]);
    return EXIT.done;
  },
};

const cancel: Command = {
  usage: '<run>',
  summary: { en: 'Cancel a run', 'zh-CN': '取消一个运行' },
  async run({ args: [id = ''], client, output, language }) {
    const { status } = await client.request('post', '/api/v1/runs/{id}/cancel', { path: { id } });
    if (output.isJson) output.json({ runId: id, status });
    else output.line(status === 'cancelled' ? TEXTS.cancelled[language] : `${TEXTS.endedBefore[language]}: ${status}`);
    return EXIT.done;
  },
};

const questions: Command = {
  usage: '',
  summary: { en: 'List questions and approvals that wait for a person', 'zh-CN': '列出等待人处理的问题和批准' },
  async run({ client, output, language }) {
    const query = { status: 'pending' } as const;
    const [asked, approvals] = await Promise.all([
      client.request('get', '/api/v1/clarifications', { query }),
      client.request('get', '/api/v1/approvals', { query }),
    ]);
    const rows = [
      ...asked.data.map(({ requestId, sessionId, question }) => ({ id: requestId, kind: 'question', session: sessionId, text: question })),
      ...approvals.data.map(({ requestId, sessionId, tool, args }) => ({
        id: requestId,
        kind: 'approval',
        session: sessionId,
        text: `${tool} ${showInvisible(JSON.stringify(args))}`,
      })),
    ];
    if (rows.length === 0 && !output.isJson) output.note(TEXTS.none[language]);
    output.table(rows, { isWhole: true });
    return EXIT.done;
  },
};

async function readStdin(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  return text.trim();
}

export const RUN_COMMANDS = { run, tail, questions, answer, approve, cancel };
