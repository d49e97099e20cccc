/** A2A with API keys: what a key may do, what tenants see of each other, approvals, and a restart of the gateway. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { ClientFactory, JsonRpcTransportFactory, Role, TaskState } from '../support/a2a_client';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { until } from '../support/until';

let config: AgentConfig;
let keys: KeyBench;
let owner: Client;
let worker: Client;
let rival: Client;

async function clientWith(secret: string): Promise<Client> {
  const fetchImpl: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${secret}`);
    return fetch(url, { ...init, headers });
  };
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  return factory.createFromUrl(keys.url);
}

beforeAll(async () => {
  config = await createAgentConfig(['base', 'terminal', 'interaction']);
  await writeFile(join(config.directory, 'agents/helper.yaml'), 'name: helper\ntoolsets: [base]\n');
  await writeFile(join(config.directory, 'approvals.yaml'), "rules:\n  - { tool: bash, pattern: 'echo done', decision: ask }\n");
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory, NETA_SANDBOX: 'none' });
  const { model } = keys.bench;
  model.onTurn(
    /run \w+/,
    { toolCalls: [{ name: 'bash', arguments: { command: 'echo done' } }] },
    ({ toolResults }) => `It says: ${toolResults[0]}`,
  );
  model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] },
    ({ toolResults }) => `Got ${toolResults[0]}`,
  );
  owner = await clientWith((await keys.makeKey({ name: 'owner', scopes: ['chat', 'approve'] })).secret);
  worker = await clientWith((await keys.makeKey({ name: 'worker', scopes: ['chat'] })).secret);
  rival = await clientWith((await keys.makeKey({ name: 'rival', tenant: 'rival', scopes: ['chat', 'approve'] })).secret);
});
afterAll(async () => {
  await keys?.bench.stop();
  await config?.remove();
});

let count = 0;
async function send(client: Client, text: string, fields: { taskId?: string; contextId?: string } = {}): Promise<Task> {
  const part = { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' };
  const ids = { messageId: `key-message-${++count}`, contextId: '', taskId: '', ...fields };
  const message = { ...ids, role: Role.ROLE_USER, parts: [part], metadata: undefined, extensions: [], referenceTaskIds: [] };
  return (await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined })) as Task;
}
const read = (client: Client, id: string) => client.getTask({ tenant: '', id });
const textOf = (task: Task) => task.artifacts[0]?.parts[0]?.content?.value;

it('[a2a] the card asks for a key, and a call without one is refused', async () => {
  const card = await (await fetch(`${keys.url}/.well-known/agent-card.json`)).json();
  expect(card).toMatchObject({
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: {} } }],
  });
  const refused = await fetch(`${keys.url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } }),
  });
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { jsonrpc: '2.0', error: { data: [{ metadata: { code: 'unauthenticated' } }] } },
  ]);
  // With the capability extendedAgentCard, the client asks for the card of callers with a key.
  const { skills } = await owner.getAgentCard();
  expect(skills.map(({ id }) => id)).toEqual(expect.arrayContaining(['default', 'helper']));
});

it('[a2a] a call that needs approval requires input of a key that may decide, and another person of everybody else', async () => {
  const asked = await send(owner, 'run one');
  expect([asked.status?.state, asked.status?.message?.metadata?.['kind']]).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED, 'approval']);
  expect(asked.status?.message?.parts[0]?.content?.value).toContain('echo done');
  await expect(send(owner, 'perhaps', { taskId: asked.id })).rejects.toThrow(/allow/);
  const allowed = await send(owner, 'allow', { taskId: asked.id });
  expect([allowed.status?.state, textOf(allowed)]).toEqual([TaskState.TASK_STATE_COMPLETED, expect.stringContaining('done')]);
  const denied = await send(owner, 'run two');
  expect(textOf(await send(owner, 'deny', { taskId: denied.id }))).toContain('refused');
  const { body } = await keys.admin.request<{ data: { action: string }[] }>('GET', '/audit?limit=20');
  expect(body.data.map(({ action }) => action)).toEqual(expect.arrayContaining(['approval.allow', 'approval.deny']));
});

it('[a2a] a key without the scope approve sees that a person has to decide', async () => {
  const pending = send(worker, 'run three');
  const list = () => keys.admin.request<{ data: { requestId: string; runId: string }[] }>('GET', '/approvals?status=pending');
  const asked = await until(async () => (await list()).body.data[0]);
  if (!asked) throw new Error('no approval is open');
  expect((await read(worker, asked.runId)).status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
  await expect(send(worker, 'allow', { taskId: asked.runId })).rejects.toThrow(/approve/);
  await keys.admin.request('POST', `/approvals/${asked.requestId}`, { decision: 'allow_once' });
  expect((await pending).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
});

it('[a2a] another tenant reads, cancels and continues no task, and its own context of the same name is another one', async () => {
  const task = await send(owner, 'ask me', { contextId: 'shared-name' });
  const attempts = [
    () => read(rival, task.id),
    () => rival.cancelTask({ tenant: '', id: task.id, metadata: undefined }),
    () => send(rival, 'mine', { taskId: task.id }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ name: expect.stringContaining('TaskNotFound') });
  const theirs = await send(rival, 'ask me', { contextId: 'shared-name' });
  expect(theirs.metadata?.['sessionId']).not.toBe(task.metadata?.['sessionId']);
  const list = { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined };
  expect((await rival.listTasks(list)).tasks.map(({ id }) => id)).toEqual([theirs.id]);
});

it('[a2a] a task that waits for input outlives kill -9: the next gateway reads it and takes the answer', async () => {
  const task = await send(owner, 'ask me');
  await keys.bench.gateway.restart();
  const found = await read(owner, task.id);
  expect(found.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const done = await send(owner, 'the green one', { taskId: task.id });
  expect([done.status?.state, textOf(done)]).toEqual([TaskState.TASK_STATE_COMPLETED, expect.stringContaining('the green one')]);
}, 60_000);
