/** Push notifications of A2A with the official client: a task tells an address of its client that it asks something or has ended. */
import type { Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { ClientFactory, Role, TaskState } from '../support/a2a_client';
import { type AgentBench, startBench } from '../support/agent_bench';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

let bench: AgentBench;
let receiver: WebhookReceiver;
let client: Client;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  bench = await startBench({ env: { NETA_WEBHOOK_ALLOW: new URL(receiver.url).host } });
  bench.model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] }, 'Thanks.');
  bench.model.onTurn('say hello', 'Hello.');
  bench.model.onTurn('go on for ever', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  client = await new ClientFactory().createFromUrl(bench.gateway.url);
});
afterAll(async () => {
  await bench?.stop();
  await receiver?.stop();
});

const config = (fields: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => ({
  tenant: '',
  id: '',
  taskId: '',
  url: receiver.url,
  token: '',
  authentication: undefined,
  ...fields,
});

let count = 0;
async function send(text: string, { taskId = '', ...configuration }: { taskId?: string } & Record<string, unknown> = {}): Promise<Task> {
  const part = { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' };
  const ids = { messageId: `push-message-${++count}`, contextId: '', taskId };
  const message = { ...ids, role: Role.ROLE_USER, parts: [part], metadata: undefined, extensions: [], referenceTaskIds: [] };
  const given = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false, ...configuration };
  const request = { tenant: '', message, configuration: given, metadata: undefined } as Parameters<Client['sendMessage']>[0];
  return (await client.sendMessage(request)) as Task;
}
const next = async () => {
  const { headers, body } = await receiver.next();
  return {
    headers,
    task: (JSON.parse(body) as { task: { id: string; status: { state: string }; artifacts?: { parts: object[] }[] } }).task,
  };
};

it('[a2a] a task with a config in its message tells that it requires input, and that it has ended', async () => {
  const card = (await (await fetch(`${bench.gateway.url}/.well-known/agent-card.json`)).json()) as { capabilities: object };
  expect(card.capabilities).toMatchObject({ pushNotifications: true });
  const taskPushNotificationConfig = config({ token: 'my-token', authentication: { scheme: 'Bearer', credentials: 'my-secret' } });
  const asking = await send('ask me', { taskPushNotificationConfig });
  const asked = await next();
  expect(asked.task).toMatchObject({ id: asking.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
  expect(asked.headers).toMatchObject({
    'content-type': 'application/a2a+json',
    'x-a2a-notification-token': 'my-token',
    authorization: 'Bearer my-secret',
    'webhook-signature': expect.stringMatching(/^v1,/),
  });
  expect((await send('this one', { taskId: asking.id })).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  const ended = await next();
  expect(ended.task).toMatchObject({
    id: asking.id,
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ text: 'Thanks.' }] }],
  });
  const { body } = await bench.rest.request<{ data: object[] }>('GET', '/webhooks');
  expect(body.data).toEqual([]);
});

it('[a2a] configs of a task are read, replaced and deleted, and other tasks tell nothing', async () => {
  const [told, silent] = [
    await send('go on for ever', { returnImmediately: true }),
    await send('go on for ever', { returnImmediately: true }),
  ];
  const ids = { tenant: '', taskId: told.id };
  const made = await client.createTaskPushNotificationConfig(config({ taskId: told.id, id: 'mine', token: 'first' }));
  expect(made).toMatchObject({ id: 'mine', taskId: told.id, url: receiver.url, token: 'first' });
  await client.createTaskPushNotificationConfig(config({ taskId: told.id, id: 'mine', token: 'second' }));
  await client.createTaskPushNotificationConfig(config({ taskId: told.id, id: 'other' }));
  const list = async () => {
    const { configs } = await client.listTaskPushNotificationConfig({ ...ids, pageSize: 0, pageToken: '' });
    return configs.map(({ id, token }) => `${id} ${token}`.trim());
  };
  expect((await list()).sort()).toEqual(['mine second', 'other']);
  await client.deleteTaskPushNotificationConfig({ ...ids, id: 'other' });
  expect(await list()).toEqual(['mine second']);
  expect(await client.getTaskPushNotificationConfig({ ...ids, id: 'mine' })).toMatchObject({ token: 'second' });
  await expect(client.getTaskPushNotificationConfig({ ...ids, id: 'other' })).rejects.toThrow(/no such/);
  for (const { id } of [silent, told]) await client.cancelTask({ tenant: '', id, metadata: undefined });
  expect((await next()).task).toMatchObject({ id: told.id, status: { state: 'TASK_STATE_CANCELED' } });
  expect(receiver.count()).toBe(3);
});

it('[a2a] a message into a task that works brings a config, which also tells of the next task when the message begins it', async () => {
  const working = await send('go on for ever', { returnImmediately: true, taskPushNotificationConfig: config({ id: 'own' }) });
  const push = { taskPushNotificationConfig: config({ token: 'later' }) };
  await send('say hello, too', { taskId: working.id, returnImmediately: true, ...push });
  await client.cancelTask({ tenant: '', id: working.id, metadata: undefined });
  const ends = await Promise.all([next(), next(), next(), next()]);
  const told = ends.map(({ headers, task }) => [task.id === working.id, task.status.state, headers['x-a2a-notification-token'] ?? '']);
  expect(told.toSorted()).toEqual([
    [false, 'TASK_STATE_COMPLETED', ''],
    [false, 'TASK_STATE_COMPLETED', 'later'],
    [true, 'TASK_STATE_CANCELED', ''],
    [true, 'TASK_STATE_CANCELED', 'later'],
  ]);
  const done = ends.find(({ task }) => task.id !== working.id);
  expect(done?.task.artifacts).toMatchObject([{ parts: [{ text: 'Hello.' }] }]);
});

it('[a2a] a config of a task that has ended, or with an address inside, is refused', async () => {
  const done = await send('say hello');
  await expect(client.createTaskPushNotificationConfig(config({ taskId: done.id }))).rejects.toMatchObject({
    name: expect.stringContaining('UnsupportedOperation'),
  });
  const inside = config({ url: 'http://127.0.0.1:1/' });
  await expect(send('say hello', { taskPushNotificationConfig: inside })).rejects.toThrow(/NETA_WEBHOOK_ALLOW/);
  await expect(client.createTaskPushNotificationConfig(config({ taskId: 'run_unknown' }))).rejects.toMatchObject({
    name: expect.stringContaining('TaskNotFound'),
  });
});
