/** Private sessions behind doors whose ids lie deeper in a body than the guard looks, and who answers and decides in a session. */
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { connectMcp } from '../support/mcp_client';
import { connectStateless } from '../support/mcp_stateless_client';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { ErrorBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

const PASSWORD = 'seven green umbrellas';
const LATER = { prefer: 'respond-async' };

type Client = Pick<RestClient, 'request'>;
interface StartedRun {
  runId: string;
  sessionId: string;
}

let keys: KeyBench;
let anna: PersonClient;
let ben: PersonClient;
/** The secret of a key of Ben. */
let secret: string;
let chat: StartedRun;

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
};
const start = async (client: Client, body: object, headers = {}) => {
  const { status, body: run } = await client.request<StartedRun>('POST', '/runs', body, headers);
  if (status > 202) throw new Error(`the run was refused: ${JSON.stringify(run)}`);
  return run;
};
/** Resolves with the id of the open question of the session. */
async function pending(client: Client, kind: 'approvals' | 'clarifications', sessionId: string): Promise<string> {
  const path = `/${kind}?status=pending&sessionId=${sessionId}`;
  const open = async () => (await client.request<{ data: { requestId: string }[] }>('GET', path)).body.data[0];
  return (await until(open))?.requestId ?? '';
}
const ask = async (kind: 'approvals' | 'clarifications') => {
  const input = kind === 'approvals' ? 'read the keys' : 'ask me';
  const { runId, sessionId } = await start(anna, { input, clarify: 'wait' }, LATER);
  return { runId, sessionId, requestId: await pending(anna, kind, sessionId) };
};

beforeAll(async () => {
  keys = await startKeyBench();
  const { model } = keys.bench;
  model.onTurn('read the keys', { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] }, 'Read.');
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which cellar?' } }] }, 'Thank you.');
  model.onTurn('the green one', 'The green one it is.');
  model.onTurn('look around', 'The cellar is green.');
  [anna, ben] = [await invite('anna', 'member'), await invite('ben', 'admin')];
  ({ secret } = (await ben.request<{ secret: string }>('POST', '/api-keys', { name: 'bens', scopes: ['chat', 'approve'] })).body);
  chat = await start(anna, { input: 'look around' });
});
afterAll(() => keys?.bench.stop());

it('POST /approvals/decide decides nothing there, and says nothing about it', async () => {
  const { sessionId, requestId } = await ask('approvals');
  for (const decision of ['deny', 'allow_once'])
    for (const client of [ben, keys.admin]) {
      const { body } = await client.request<{ data: ErrorBody[] }>('POST', '/approvals/decide', { ids: [requestId], decision });
      expect(body.data).toEqual([expect.objectContaining({ error: expect.objectContaining({ code: 'not_found' }) })]);
    }
  expect(await pending(anna, 'approvals', sessionId)).toBe(requestId);
});

it.each(['approvals', 'clarifications'] as const)('the answer to a form of an MCP client reaches no %s there', async kind => {
  const { sessionId, requestId } = await ask(kind);
  const mcp = await connectMcp(keys.url, { secret, onElicitation: () => ({ action: 'cancel' }) });
  for (const result of [
    { action: 'cancel' as const },
    { action: 'decline' as const },
    { action: 'accept' as const, content: { answer: 'x' } },
  ])
    await mcp.transport.send({ jsonrpc: '2.0', id: `question-${requestId}`, result });
  await mcp.close();
  expect(await pending(anna, kind, sessionId)).toBe(requestId);
});

it('a driver of a task of A2A decides no approval in it', async () => {
  const { runId, sessionId, requestId } = await ask('approvals');
  await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
  const message = { messageId: 'm1', taskId: runId, role: 'ROLE_USER', parts: [{ text: 'deny' }] };
  const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
  const answer = await ben.request<{ error?: object }>('POST', '//a2a', call, { 'a2a-version': '1.0' });
  expect(JSON.stringify(answer.body.error)).toContain('This needs the part owner or approver');
  expect(await pending(anna, 'approvals', sessionId)).toBe(requestId);
});

it('an approver of a task of A2A answers its question, and a watcher decides no approval', async () => {
  const { runId, sessionId, requestId } = await ask('clarifications');
  await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'approver' });
  const send = async (messageId: string, text: string) => {
    const message = { messageId, taskId: runId, role: 'ROLE_USER', parts: [{ text }] };
    const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    return JSON.stringify((await ben.request('POST', '//a2a', call, { 'a2a-version': '1.0' })).body);
  };
  expect(await send('m2', 'the green one')).toContain('"result"');
  const row = async () =>
    (await anna.request<{ data: { requestId: string; decidedBy?: string }[] }>('GET', '/clarifications?status=answered')).body.data;
  expect((await row()).find(found => found.requestId === requestId)?.decidedBy).toBe('@ben');
  const other = await ask('approvals');
  await anna.request('POST', `/sessions/${other.sessionId}/participants`, { person: '@ben', role: 'watcher' });
  const watcher = { messageId: 'm3', taskId: other.runId, role: 'ROLE_USER', parts: [{ text: 'deny' }] };
  const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: watcher } };
  const refused = await ben.request('POST', '//a2a', call, { 'a2a-version': '1.0' });
  expect(JSON.stringify(refused.body)).toContain('This needs the part owner or approver');
});

it('the owner answers a question that a driver caused who has left since', async () => {
  const { id: sessionId } = (await anna.request<{ id: string }>('POST', '/sessions', { title: 'Cellars' })).body;
  await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
  await start(ben, { input: 'ask me', sessionId });
  await anna.request('DELETE', `/sessions/${sessionId}/participants/@ben`);
  const path = `/clarifications/${await pending(anna, 'clarifications', sessionId)}`;
  expect((await ben.request('POST', path, { answer: 'the green one' })).status).toBe(404);
  expect((await anna.request('POST', path, { answer: 'the green one' })).body).toMatchObject({ status: 'answered', sessionId });
});

describe.each([
  ['without a session', async () => (await connectStateless(keys.url, { secret })).client],
  ['with a session', async () => (await connectMcp(keys.url, { secret })).client],
] as const)('an MCP client %s', (_name, connect) => {
  it('neither lists nor reads it as a resource', async () => {
    const uri = `neta://sessions/${chat.sessionId}`;
    const own = await start(ben, { input: 'look around' });
    const client = await connect();
    expect(JSON.stringify(await client.listResources())).toContain(own.sessionId);
    expect(JSON.stringify(await client.listResources())).not.toContain(chat.sessionId);
    expect(JSON.stringify(await client.readResource({ uri: `neta://sessions/${own.sessionId}` }))).toContain('The cellar is green.');
    await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { code: 'not_found' } });
    await client.close();
  });
});

it('an item_reference of another person names no item', async () => {
  const made = await anna.request<{ output: { id: string }[] }>('POST', '//v1/responses', { model: 'default', input: 'look around' });
  const input = [
    { type: 'item_reference', id: made.body.output[0]?.id },
    { role: 'user', content: 'look around' },
  ];
  const again = (client: Client) => client.request<ErrorBody>('POST', '//v1/responses', { model: 'default', input });
  expect((await again(anna)).status).toBe(200);
  const unknown = await ben.request<ErrorBody>('POST', '//v1/responses', {
    model: 'default',
    input: [{ ...input[0], id: 'msg_unknown' }, input[1]],
  });
  expect([(await again(ben)).status, unknown.status]).toEqual([unknown.status, expect.any(Number)]);
  expect(unknown.status).toBeGreaterThanOrEqual(400);
});

it('a driver deletes no conversation and no response of the owner', async () => {
  const { id } = (await anna.request<{ id: string }>('POST', '//v1/conversations', {})).body;
  const response = await anna.request<{ id: string }>('POST', '//v1/responses', {
    model: 'default',
    input: 'look around',
    conversation: id,
  });
  await anna.request('POST', `/sessions/${id.replace('conv_', '')}/participants`, { person: '@ben', role: 'driver' });
  const paths = [`//v1/responses/${response.body.id}`, `//v1/conversations/${id}`];
  for (const path of paths) expect((await ben.request('DELETE', path)).status).toBe(403);
  for (const path of paths) expect((await anna.request('DELETE', path)).status).toBe(200);
});

it('a job of another person starts no run in its session, and does not show its runs', async () => {
  const fields = { name: 'Water', input: 'look around', schedule: { everyMs: 3_600_000 }, session: 'same' };
  const { id } = (await anna.request<{ id: string }>('POST', '/jobs', fields)).body;
  const first = (await anna.request<StartedRun>('POST', `/jobs/${id}/run`)).body;
  const shownTo = async (client: Client) =>
    JSON.stringify([(await client.request('GET', '/jobs')).body, (await client.request('GET', `/jobs/${id}/runs`)).body]);
  expect((await ben.request('POST', `/jobs/${id}/run`)).status).toBe(404);
  expect((await anna.request<StartedRun>('POST', `/jobs/${id}/run`)).body.sessionId).toBe(first.sessionId);
  expect([(await shownTo(anna)).includes(first.sessionId), (await shownTo(ben)).includes(first.sessionId)]).toEqual([true, false]);
  await anna.request('DELETE', `/jobs/${id}`);
});

it('a body does not hide the id in a query', async () => {
  const path = `/runs?sessionId=${chat.sessionId}`;
  const { status } = await ben.request('POST', path, { input: 'look around', sessionId: 'ses_unknown' });
  const own = (await ben.request<{ id: string }>('POST', '/sessions', { title: 'Mine' })).body.id;
  expect([status, (await ben.request('POST', path, { input: 'look around', sessionId: own })).status]).toEqual([404, 404]);
});

it('the Idempotency-Key of a service never is the key of a person', async () => {
  const service = withKey(keys.url, (await keys.makeKey({ name: 'service', scopes: ['chat'] })).secret);
  const make = (client: Client, key: string) =>
    client.request<{ id: string }>('POST', '/sessions', { title: 'Plan' }, { 'idempotency-key': key });
  const made = await make(anna, 'k1');
  expect((await make(anna, 'k1')).body.id).toBe(made.body.id);
  const other = await make(service, '@anna:k1');
  expect([other.status, other.body.id === made.body.id]).toEqual([201, false]);
});
