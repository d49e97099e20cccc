/** A2A 1.0 with the official client: tasks are runs, contexts are sessions, and questions are input that a task requires. */
import type { AgentCard, Message, Part, TaskState as State, StreamResponse, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { ClientFactory, Role, TaskState } from '../support/a2a_client';
import { type AgentBench, startBench } from '../support/agent_bench';
import { until } from '../support/until';

let bench: AgentBench;
let client: Client;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('say hello', 'Hello there.');
  bench.model.onTurn('read in pieces', { text: 'one two three four', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn('go on for ever', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  bench.model.onTurn('work long', { text: 'long and longer', chunkSize: 4, pauseAfter: 1, times: 1 });
  bench.model.onTurn(
    'ask, then talk',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] },
    { text: 'on and on and on', chunkSize: 4, pauseAfter: 1 },
  );
  bench.model.onTurn('what now', 'Nothing now.');
  bench.model.onTurn('The images', 'I see them.');
  bench.model.onTurn('fail', { error: { status: 400, message: 'no' } });
  bench.model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'green'] } }] },
    ({ toolResults }) => `Painted: ${toolResults[0]}`,
  );
  client = await new ClientFactory().createFromUrl(bench.gateway.url);
});
afterAll(() => bench?.stop());

let count = 0;
const textPart = (value: string) => ({
  content: { $case: 'text' as const, value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});
const message = (text: string, fields: Partial<{ messageId: string; contextId: string; taskId: string; metadata: object }> = {}) => ({
  messageId: `message-${++count}-${Date.now()}`,
  contextId: '',
  taskId: '',
  role: Role.ROLE_USER,
  parts: [textPart(text)] as Part[],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
  ...fields,
});
const params = (sent: ReturnType<typeof message>, configuration: object = {}) =>
  ({
    tenant: '',
    message: sent,
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false, ...configuration },
    metadata: undefined,
  }) as Parameters<Client['sendMessage']>[0];

const PICTURE = {
  content: { $case: 'raw' as const, value: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
  metadata: undefined,
  filename: 'a.png',
  mediaType: 'image/png',
};
const userTexts = async (task: Task) =>
  (await bench.rest.history(String(task.metadata?.['sessionId']))).flatMap(({ role, content }) => (role === 'user' ? [content] : []));

const send = async (sent: ReturnType<typeof message>, configuration?: object) =>
  (await client.sendMessage(params(sent, configuration))) as Task;
const textOf = (task: Task | undefined) => task?.artifacts.flatMap(({ parts }) => parts.map(({ content }) => content?.value)).join('');
const askedText = (task: Task) => task.status?.message?.parts.map(({ content }) => content?.value).join('');

const said = ({ role, parts }: Message) => `${Role[role]}: ${parts.map(({ content }) => content?.value).join('')}`;

/** Reads a stream to its end: its states, and the answer as a client that applies the updates has it. */
async function read(stream: AsyncIterable<StreamResponse>) {
  const states: (State | undefined)[] = [];
  let task: Task | undefined;
  let text = '';
  let isLast = false;
  for await (const { payload } of stream) {
    if (payload?.$case === 'task') {
      task = payload.value;
      states.push(task.status?.state);
    }
    if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
    if (payload?.$case === 'artifactUpdate') {
      const piece = payload.value.artifact?.parts.map(({ content }) => content?.value).join('') ?? '';
      text = payload.value.append ? text + piece : piece;
      isLast = payload.value.lastChunk;
    }
  }
  return { task, states, text, isLast };
}

it('[a2a] the card says how to reach the gateway', async () => {
  const response = await fetch(`${bench.gateway.url}/.well-known/agent-card.json?x=1`);
  const card = (await response.json()) as AgentCard;
  expect(card).toMatchObject({
    name: 'neta-gateway',
    supportedInterfaces: [{ url: `${bench.gateway.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, extendedAgentCard: true },
    skills: [{ id: 'default' }],
  });
  expect(card.securityRequirements ?? []).toEqual([]);
});

it('[a2a] SendMessage waits for the answer; the task is a run, and the next message in its context goes on in the session', async () => {
  const task = await send(message('say hello'));
  expect([task.status?.state, textOf(task)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'Hello there.']);
  const { body: run } = await bench.rest.request('GET', `/runs/${task.id}`);
  expect(run).toMatchObject({ door: 'a2a', sessionId: task.contextId, status: 'completed' });
  const next = await send(message('say hello again', { contextId: task.contextId }));
  expect([next.contextId, next.id === task.id]).toEqual([task.contextId, false]);
  const own = await send(message('say hello', { contextId: 'my-own-context' }));
  const again = await send(message('say hello', { contextId: 'my-own-context' }));
  expect([own.contextId, again.contextId]).toEqual(['my-own-context', 'my-own-context']);
  expect(own.metadata?.['sessionId']).toBe(again.metadata?.['sessionId']);
});

it('[a2a] the same message sent again makes no second task', async () => {
  const sent = message('say hello');
  expect((await send(sent)).id).toBe((await send(sent)).id);
});

it('[a2a] ids of messages are those of a context, and a message with another image is another message', async () => {
  const [one, two] = [
    message('say hello', { messageId: 'same', contextId: 'one' }),
    message('say hello', { messageId: 'same', contextId: 'two' }),
  ];
  const tasks = [await send(one), await send(two), await send(one)];
  expect(tasks.map(({ contextId }) => contextId)).toEqual(['one', 'two', 'one']);
  expect(tasks[0]?.id).toBe(tasks[2]?.id);
  await expect(send({ ...one, parts: [...one.parts, PICTURE] })).rejects.toMatchObject({
    name: expect.stringContaining('RequestMalformed'),
  });
});

it('[a2a] an answer that is sent again while the task works goes into nothing, and one after its end gives the task', async () => {
  const asking = await send(message('ask, then talk'));
  const answer = message('green', { taskId: asking.id, contextId: asking.contextId });
  await send(answer, { returnImmediately: true });
  await bench.model.waitFor(({ toolResults }) => toolResults.some(result => result.includes('green')));
  const again = await send(answer, { returnImmediately: true });
  expect([again.id, again.status?.state]).toEqual([asking.id, TaskState.TASK_STATE_WORKING]);
  bench.model.resume();
  expect((await send(answer)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(await userTexts(asking)).toEqual(['ask, then talk']);
});

it('[a2a] a message into a task that works arrives once, and begins the next task of the context when the task ends first', async () => {
  const task = await send(message('work long', { contextId: 'long-context' }), { returnImmediately: true });
  await bench.model.waitFor('work long');
  const more = message('what now', { taskId: task.id });
  expect((await send(more, { returnImmediately: true })).id).toBe(task.id);
  expect((await send(more, { returnImmediately: true })).id).toBe(task.id);
  bench.model.resume();
  const list = {
    tenant: '',
    contextId: 'long-context',
    status: TaskState.TASK_STATE_COMPLETED,
    pageToken: '',
    statusTimestampAfter: undefined,
  };
  const { tasks } = await until(
    () => client.listTasks(list),
    page => page.tasks.length > 1,
  );
  expect(tasks.map(({ id, contextId }) => [id === task.id, contextId])).toEqual([
    [false, 'long-context'],
    [true, 'long-context'],
  ]);
  expect(await userTexts(task)).toEqual(['work long', 'what now']);
});

it('[a2a] an answer keeps its images', async () => {
  const asking = await send(message('ask me'));
  const answer = message('this one', { taskId: asking.id });
  await send({ ...answer, parts: [...answer.parts, PICTURE] });
  const [request] = bench.model.requests('The images of my answer.');
  expect(JSON.stringify(request?.body.messages)).toContain('image 1: image/png');
});

it('[a2a] ListTasks fills its pages with the tasks that it selects, and counts all of them', async () => {
  const contextId = 'listed';
  for (const text of ['say hello', 'fail', 'say hello', 'fail', 'say hello']) await send(message(text, { contextId }));
  const list = {
    tenant: '',
    contextId,
    status: TaskState.TASK_STATE_COMPLETED,
    pageToken: '',
    statusTimestampAfter: undefined,
    pageSize: 2,
  };
  const first = await client.listTasks(list);
  expect([first.tasks.length, first.totalSize, first.pageSize]).toEqual([2, 3, 2]);
  const second = await client.listTasks({ ...list, pageToken: first.nextPageToken });
  expect([second.tasks.length, second.totalSize, second.nextPageToken]).toEqual([1, 3, '']);
  const later = await client.listTasks({ ...list, statusTimestampAfter: '2100-01-01T00:00:00Z' });
  expect([later.tasks, later.totalSize]).toEqual([[], 0]);
  expect((await client.listTasks({ ...list, status: TaskState.TASK_STATE_REJECTED })).totalSize).toBe(0);
});

it('[a2a] returnImmediately answers at once, GetTask and ListTasks read the task, CancelTask ends it', async () => {
  const task = await send(message('go on for ever'), { returnImmediately: true });
  expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(task.status?.state);
  const found = await client.getTask({ tenant: '', id: task.id });
  expect([found.id, found.history.length, found.status?.state]).toEqual([task.id, 1, TaskState.TASK_STATE_WORKING]);
  const list = { tenant: '', contextId: task.contextId, status: 0, pageToken: '', statusTimestampAfter: undefined };
  expect((await client.listTasks(list)).tasks.map(({ id }) => id)).toEqual([task.id]);
  expect((await client.listTasks({ ...list, status: TaskState.TASK_STATE_FAILED })).tasks).toEqual([]);
  const cancelled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  await expect(client.cancelTask({ tenant: '', id: task.id, metadata: undefined })).rejects.toMatchObject({ name: /NotCancelable/ });
  await expect(client.getTask({ tenant: '', id: 'run_unknown' })).rejects.toMatchObject({ name: expect.stringContaining('TaskNotFound') });
});

it('[a2a] SendStreamingMessage streams the task, pieces of the answer and the end', async () => {
  const stream = read(client.sendMessageStream(params(message('read in pieces'))));
  await bench.model.waitFor('read in pieces');
  bench.model.resume();
  const { task, states, text, isLast } = await stream;
  expect(states.slice(1)).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED]);
  expect([text, isLast]).toEqual(['one two three four', true]);
  expect(textOf(await client.getTask({ tenant: '', id: task?.id ?? '' }))).toBe('one two three four');
  const failed = await read(client.sendMessageStream(params(message('fail'))));
  expect(failed.states.at(-1)).toBe(TaskState.TASK_STATE_FAILED);
});

it('[a2a] a question of the agent requires input, and the next message of the task answers it', async () => {
  const asking = await send(message('ask me'));
  expect(asking.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(askedText(asking)).toBe('Which colour?\n- red\n- green');
  const done = await send(message('green', { taskId: asking.id, contextId: asking.contextId }));
  expect([done.id, done.status?.state, textOf(done)]).toEqual([
    asking.id,
    TaskState.TASK_STATE_COMPLETED,
    expect.stringContaining('green'),
  ]);
  expect(asking.history.map(said)).toEqual(['ROLE_USER: ask me']);
  expect(done.history.map(said)).toEqual(['ROLE_USER: ask me', 'ROLE_AGENT: Which colour?\n- red\n- green', 'ROLE_USER: green']);
  const [newest] = (await client.getTask({ tenant: '', id: done.id, historyLength: 1 })).history;
  expect(newest && said(newest)).toBe('ROLE_USER: green');
  await expect(send(message('blue', { taskId: asking.id }))).rejects.toMatchObject({
    name: expect.stringContaining('UnsupportedOperation'),
  });
});

it('[a2a] a stream ends at a question; the stream of the answer goes on to the end', async () => {
  const asked = await read(client.sendMessageStream(params(message('ask me'))));
  expect(asked.states.at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const { id = '', contextId = '' } = asked.task ?? {};
  const again = await read(client.resubscribeTask({ tenant: '', id }));
  expect(again.states.at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const answered = await read(client.sendMessageStream(params(message('red', { taskId: id, contextId }))));
  expect([answered.states.at(-1), answered.text]).toEqual([TaskState.TASK_STATE_COMPLETED, expect.stringContaining('red')]);
});

it('[a2a] SubscribeToTask sends everything that a client has missed, and then what follows', async () => {
  const task = await send(message('go on for ever'), { returnImmediately: true });
  await until(async () => (await bench.rest.request<{ text?: string }>('GET', `/runs/${task.id}/events`)).status === 200);
  const following = read(client.resubscribeTask({ tenant: '', id: task.id }));
  await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  const { states } = await following;
  expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
  await expect(read(client.resubscribeTask({ tenant: '', id: task.id }))).rejects.toMatchObject({
    name: expect.stringContaining('UnsupportedOperation'),
  });
});

it('[a2a] wrong parameters, versions and methods are errors of JSON-RPC', async () => {
  const call = async (body: object, headers: Record<string, string> = {}) => {
    const answer = await bench.rest.request<{ id: unknown; error: { code: number; message: string } }>('POST', '//a2a', body, headers);
    return [answer.status, answer.body.id, answer.body.error.code];
  };
  const rpc = (method: string, given: object) => ({ jsonrpc: '2.0', id: 7, method, params: given });
  expect(await call(rpc('tasks/get', {}))).toEqual([200, 7, -32_601]);
  expect(await call(rpc('GetTask', { id: 'x' }), { 'a2a-version': '0.3' })).toEqual([200, 7, -32_009]);
  expect(await call(rpc('SendMessage', { message: { messageId: 'x', role: 'ROLE_USER', parts: [] } }))).toEqual([200, 7, -32_602]);
  const withAgent = { messageId: 'y', role: 'ROLE_USER', parts: [{ text: 'hi' }], metadata: { agent: 'nobody' } };
  expect(await call(rpc('SendMessage', { message: withAgent }))).toEqual([200, 7, -32_602]);
  expect(await call(rpc('ListTaskPushNotificationConfigs', { taskId: 'x' }))).toEqual([200, 7, -32_001]);
  expect((await call([]))[0]).toBe(200);
});
