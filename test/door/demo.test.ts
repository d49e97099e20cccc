/** The first run without a model: the demo makes its project in an empty workspace, over both doors and across a restart. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_TEXTS } from '../../src/adapter/demo/demo_texts';
import type { RunEvent, RunEventType } from '../../src/port/run_event';
import { type ChatClient, connectChat, textOf } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

let gateway: Gateway;
let rest: RestClient;
let client: ChatClient;

beforeAll(async () => {
  gateway = await startGateway({ env: { NETA_CLARIFY_TIMEOUT_MS: '300' } });
  rest = createRestClient(gateway.url);
  client = await connectChat(gateway.url);
});
afterAll(async () => {
  client?.close();
  await gateway?.stop();
});
afterEach(async () => {
  for (const name of await readdir(gateway.workspace)) await rm(join(gateway.workspace, name), { recursive: true });
});

const codeIn = (folder: string): Promise<string> => readFile(join(gateway.workspace, folder, 'greet.js'), 'utf8');
type DataOf<T extends RunEventType> = Extract<RunEvent, { type: T }>['data'];
const dataOf = <T extends RunEventType>(events: readonly RunEvent[], type: T): DataOf<T>[] =>
  events.flatMap(event => (event.type === type ? [event.data as DataOf<T>] : []));

/** Sends the request for a project and waits for its question. */
async function askFor(text: string, from: ChatClient, more: Record<string, unknown> = {}) {
  const { runId, sessionId } = await from.chat(text, more);
  const { data } = await from.waitFor('clarify_request', event => event.runId === runId);
  const answer = (words: string) => from.send({ type: 'clarify_response', sessionId, requestId: data.requestId, answer: words });
  return { runId, question: data, answer };
}

describe.each(['en', 'zh-CN'] as const)('the first suggestion of the page in %s', locale => {
  const texts = DEMO_TEXTS[locale];
  const [, second = ''] = texts.choices;

  it('lets the researcher look at the files, in a run of its own', async () => {
    const { runId } = await client.chat(texts.requests.crew, { locale });
    const { data } = await client.endOf(runId);
    expect(data).toMatchObject({ status: 'completed', text: expect.stringMatching(/(?:researcher|研究员).*\n.*npm start/s) });
    const [start] = dataOf(client.eventsOf(runId), 'delegate_start');
    const { body: child } = await rest.request('GET', `/runs/${start?.childRunId}`);
    expect(child).toMatchObject({ agent: 'researcher', status: 'completed', toolCalls: [{ name: 'list_dir', ok: true }], locale });
  });

  it('remembers a fact, recalls it in another chat, and forgets it, with the real tools', async () => {
    const [remember, ask, fact, forget] =
      locale === 'en'
        ? ['Remember that I like oolong', 'What do you know about me?', 'I like oolong', 'Forget that I like oolong.']
        : ['请记住我喜欢乌龙茶', '你了解我什么？', '我喜欢乌龙茶', '忘掉我喜欢乌龙茶'];
    const answerTo = async (text: string) => (await client.endOf((await client.chat(text, { locale })).runId)).data.text;
    expect(await answerTo(remember)).toContain(texts.remembered(fact));
    const { body } = await rest.request<{ data: { text: string }[] }>('GET', '/memories');
    expect(body.data.map(({ text }) => text)).toContain(fact);
    expect(await answerTo(ask)).toContain(`\n- ${fact}\n`);
    expect(await answerTo(forget)).toContain(texts.forgotten(fact));
    expect(await answerTo(ask)).not.toContain(fact);
    expect(await answerTo(forget)).toContain(texts.notKnown(fact));
  });

  it('makes a project, asks with choices, patches the code and ticks the plan', async () => {
    const { runId, question, answer } = await askFor(texts.requests.project, client, { locale });
    expect(question).toMatchObject({ question: texts.question, choices: texts.choices });
    await answer(second);
    expect((await client.endOf(runId)).data).toMatchObject({
      status: 'completed',
      text: expect.stringMatching(/\n-const greeting = '\?';\n\+const .*npm start/s),
    });

    expect(await codeIn('first-steps')).toContain(`const greeting = "${second}";`);
    const events = client.eventsOf(runId);
    const ends = dataOf(events, 'tool_call_end');
    expect(ends.filter(({ ok }) => !ok)).toEqual([]);
    expect(ends.find(({ name }) => name === 'patch')?.details).toMatchObject({
      diff: expect.stringContaining(second),
      undoable: expect.anything(),
    });
    const ticked = dataOf(events, 'todo_update').map(({ todos }) => todos.filter(({ status }) => status === 'completed').length);
    expect(ticked).toEqual([0, 1, 2, 3]);
    expect(dataOf(events, 'text_delta').length).toBeGreaterThan(3);
  });

  it('works over REST, where the next message is the answer', async () => {
    const { body: asked } = await rest.run({ input: texts.requests.project, locale });
    expect(asked).toMatchObject({ status: 'completed', clarification: { question: texts.question, choices: texts.choices } });
    const { body } = await rest.run({ input: '2', sessionId: asked.sessionId });
    expect(body).toMatchObject({ status: 'completed', text: expect.stringContaining('first-steps/greet.js') });
    expect(await codeIn('first-steps')).toContain(`const greeting = "${second}";`);
  });
});

it('takes an answer that is no choice, and makes the next project beside the first one', async () => {
  for (const folder of ['first-steps', 'first-steps-2']) {
    const { runId, answer } = await askFor(DEMO_TEXTS.en.requests.project, client);
    await answer('It\'s "noon"');
    await client.endOf(runId);
    expect(await codeIn(folder)).toContain(String.raw`const greeting = "It's \"noon\"";`);
  }
});

it('takes the first choice and says so when no answer comes', async () => {
  const hurried = await connectChat(gateway.url, { capabilities: [] });
  const { runId } = await askFor(DEMO_TEXTS.en.requests.project, hurried);
  await hurried.endOf(runId);
  hurried.close();
  expect(textOf(hurried.eventsOf(runId))).toContain('I have no answer, so I take “Good morning”.');
  expect(await codeIn('first-steps')).toContain('const greeting = "Good morning";');
});

it('continues after kill -9 while its question waits, and repeats nothing', async () => {
  const { requests, choices } = DEMO_TEXTS.en;
  const { runId, question } = await askFor(requests.project, await connectChat(gateway.url));
  await gateway.restart();
  await rest.request('POST', `/clarifications/${question.requestId}`, { answer: choices[2] });
  const events = await rest.stream('GET', `/runs/${runId}/events`);
  expect(dataOf(events, 'run_end')).toMatchObject([{ status: 'completed' }]);
  expect(dataOf(events, 'tool_call_end').filter(({ name }) => name === 'write_file')).toHaveLength(2);
  expect(await readdir(gateway.workspace)).toEqual(['first-steps']);
  expect(await codeIn('first-steps')).toContain(`const greeting = "${choices[2]}";`);
});

it.each(['en', 'zh-CN'] as const)('makes a real job after approval, and the job runs, in %s', async locale => {
  const { requests } = DEMO_TEXTS[locale];
  const approver = await connectChat(gateway.url, { capabilities: ['approval@1'] });
  const { runId } = await approver.chat(requests.job, { locale });
  const { data } = await approver.waitFor('approval_request');
  await rest.request('POST', `/approvals/${data.requestId}`, { decision: 'allow_once' });
  expect((await approver.endOf(runId)).data).toMatchObject({ status: 'completed', text: expect.stringContaining('8:00') });
  approver.close();
  const { body } = await rest.request<{ data: { id: string; enabled: boolean }[] }>('GET', '/jobs');
  expect(body.data).toMatchObject([{ enabled: true, schedule: { cron: '0 8 * * *' }, locale }]);
  const id = body.data[0]?.id;
  const started = await rest.request<{ runId: string }>('POST', `/jobs/${id}/run`);
  const events = await rest.stream('GET', `/runs/${started.body.runId}/events`);
  expect(dataOf(events, 'tool_call_end')).toMatchObject([{ name: 'list_dir', ok: true }]);
  await rest.request('DELETE', `/jobs/${id}`);
});

it('says that it is no AI for other requests, and shows the result of a command', async () => {
  expect((await rest.run({ input: 'Write a haiku' })).body.text).toMatch(/no AI.*OPENAI_API_KEY/s);
  expect((await rest.run({ input: 'List the files' })).body.text).toContain('The workspace is empty.');
});

it('goes on with a summary of what the person wrote when a chat outgrows the context window', async () => {
  const small = await startGateway({ env: { NETA_MAX_CONTEXT_MESSAGES: '8' } });
  try {
    const { run, request } = createRestClient(small.url);
    let sessionId: string | undefined;
    let compacted: DataOf<'context_compacted'>[] = [];
    for (const input of ['What can you do?', DEMO_TEXTS.en.requests.list, 'one', 'two', 'three', 'four']) {
      const { body } = await run({ input, ...(sessionId && { sessionId }) });
      expect(body.status).toBe('completed');
      sessionId = body.sessionId;
      const { body: page } = await request<{ data: RunEvent[] }>('GET', `/runs/${body.runId}/events`);
      compacted = [...compacted, ...dataOf(page.data, 'context_compacted')];
    }
    expect(compacted[0]?.summary).toMatch(/^## Goals\nThe person wrote:\n- What can you do\?\n- List the files\n.*- list_dir/s);
  } finally {
    await small.stop();
  }
});
