/**
 * Sessions of people: private to their owner, shared with some, or visible to the tenant. Every route and every socket message is tried with another
 * person's private session, generated from their rows.
 */
import type { RouteRow } from '../../src/controller/route';
import { MESSAGE_SCOPES } from '../../src/gateway/protocol';
import { ROUTES } from '../../src/routes';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { ErrorBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

const PASSWORD = 'seven green umbrellas';
const nameOf = ({ method, path }: RouteRow) => `${method.toUpperCase()} ${path}`;

let keys: KeyBench;
let anna: PersonClient;
let ben: PersonClient;
let chief: PersonClient;
let service: RestClient;

/** What Anna has: by the first part of a path below /api/v1, or by the whole beginning of another path. */
let ids: Record<string, string>;
let sessionId: string;
let runId: string;

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
};

async function pending(client: PersonClient, kind: 'approvals' | 'clarifications'): Promise<string> {
  const open = async () => (await client.request<{ data: { requestId: string }[] }>('GET', `/${kind}?status=pending`)).body.data[0];
  return (await until(open))?.requestId ?? '';
}

beforeAll(async () => {
  keys = await startKeyBench();
  const { model } = keys.bench;
  model.onTurn('read the keys', { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] });
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which cellar?' } }] });
  model.onTurn('look around', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'The cellar is green.');
  model.onTurn('again', 'Again.');
  [anna, ben, chief] = [await invite('anna', 'member'), await invite('ben', 'member'), await invite('chief', 'admin')];
  const { secret } = await keys.makeKey({ name: 'service', scopes: ['chat', 'tools', 'approve', 'ops:read'] });
  service = withKey(keys.url, secret);

  ({ sessionId, runId } = (await anna.request<{ runId: string; sessionId: string }>('POST', '/runs', { input: 'look around' })).body);
  await anna.request('POST', '/runs', { input: 'ask me', sessionId, clarify: 'wait' }, { prefer: 'respond-async' });
  const clarification = await pending(anna, 'clarifications');
  const other = await anna.request<{ sessionId: string }>(
    'POST',
    '/runs',
    { input: 'read the keys', clarify: 'wait' },
    { prefer: 'respond-async' },
  );
  expect(other.status).toBe(202);
  const response = await anna.request<{ id: string }>('POST', '//v1/responses', { model: 'default', input: 'again' });
  const conversation = await anna.request<{ id: string }>('POST', '//v1/conversations', {});
  const executions = await anna.request<{ data: { id: string }[] }>('GET', `/tool-executions?session=${sessionId}`);
  const share = await anna.request<{ id: string }>('POST', `/sessions/${sessionId}/shares`, {});
  ids = {
    '/api/v1/runs': runId,
    '/api/v1/sessions': sessionId,
    '/api/v1/clarifications': clarification,
    '/api/v1/approvals': await pending(anna, 'approvals'),
    '/api/v1/tool-executions': executions.body.data[0]?.id ?? '',
    '/api/v1/changes': executions.body.data[0]?.id ?? '',
    '/api/v1/shares': share.body.id,
    '/api/v1/ops/runs': runId,
    '/api/v1/ops/sessions': sessionId,
    '/api/v1/ops/people': clarification,
    '/v1/responses': response.body.id,
    '/v1/conversations': conversation.body.id,
    '/streams/runs': runId,
  };
  expect(Object.entries(ids).filter(([, id]) => !id)).toEqual([]);
});
afterAll(() => keys?.bench.stop());

/** Complete bodies, so that only the session decides. */
const BODIES: Record<string, object> = {
  createBranch: { before: 'run_unknown' },
  answerClarification: { answer: 'yes' },
  decideApproval: { decision: 'deny' },
  answerOpsQuestion: { answer: 'yes' },
  rateRun: { rating: 'up' },
  updateSession: { title: 'Mine' },
  putParticipant: { person: '@ben', role: 'driver' },
  steerRun: { text: 'faster' },
  updateConversation: { metadata: {} },
  createConversationItems: { items: [{ role: 'user', content: 'hello' }] },
};
/** Operators stop and delete what they cannot read. */
const WITHOUT_READING = new Set(['cancelOpsRun', 'deleteOpsSession']);

const beginningOf = ({ path }: RouteRow) => path.slice(0, path.indexOf('/:'));
const OF_SESSIONS = ROUTES.filter(
  row =>
    /^\/(?:api\/v1\/(?:runs|sessions|clarifications|approvals|tool-executions|changes|shares|ops\/(?:runs|sessions|people))|v1\/(?:responses|conversations)|streams\/runs)\/:/.test(
      row.path,
    ) && !WITHOUT_READING.has(row.operationId),
);

function ask(client: Pick<RestClient, 'request'>, row: RouteRow, id: string) {
  const path = row.path.replace(/:\w+/, id).replaceAll(/:\w+/g, 'unknown');
  const hasBody = row.method !== 'get' && row.method !== 'delete';
  return client.request<ErrorBody>(row.method.toUpperCase(), `/${path}`, hasBody ? (BODIES[row.operationId] ?? {}) : undefined);
}

describe('a private session of another person', () => {
  it.each(OF_SESSIONS.map(row => [nameOf(row), row] as const))(
    'ASVS 4.2.1: %s answers 404 to a person, an admin and a key',
    async (_name, row) => {
      const id = ids[beginningOf(row)] ?? '';
      const isOps = row.path.startsWith('/api/v1/ops/');
      for (const client of isOps ? [chief, keys.admin] : [ben, chief, service, keys.admin]) {
        const { status, body } = await ask(client, row, id);
        expect([status, body.error?.message]).toEqual([404, expect.any(String)]);
      }
    },
  );

  it('stays whole, and is there for its owner', async () => {
    expect((await anna.request('GET', `/sessions/${sessionId}`)).body).toMatchObject({
      id: sessionId,
      owner: '@anna',
      visibility: 'private',
      sharedWith: [],
    });
    const reads = new Set([
      'getRun',
      'listRunEvents',
      'getSession',
      'listMessages',
      'getToolExecution',
      'getShare',
      'getResponse',
      'getConversation',
      'readRunStream',
    ]);
    const readable = OF_SESSIONS.filter(({ operationId }) => reads.has(operationId));
    expect(readable).toHaveLength(reads.size);
    for (const row of readable)
      expect([nameOf(row), (await ask(anna, row, ids[beginningOf(row)] ?? '')).status]).toEqual([nameOf(row), 200]);
  });

  const LISTS = ['/runs', '/sessions', '/clarifications', '/approvals', '/tool-executions', '/feedback', '/search?q=cellar', '/projects'];

  it.each(LISTS)('GET %s leaves it out', async path => {
    await anna.request('PATCH', `/sessions/${sessionId}`, { project: 'cellar' });
    await anna.request('PUT', `/runs/${runId}/feedback`, { rating: 'up' });
    expect((await anna.request<{ data: unknown[] }>('GET', path)).body.data).not.toEqual([]);
    for (const client of [ben, chief, service]) expect((await client.request<{ data: unknown[] }>('GET', path)).body.data).toEqual([]);
  });

  const FIELDS: [string, object][] = [
    ['/runs', { input: 'again', sessionId: 'SESSION' }],
    ['/runs', { regenerate: 'RUN' }],
    ['/runs/preview', { input: 'again', sessionId: 'SESSION' }],
    ['//v1/responses', { model: 'default', input: 'again', previous_response_id: 'RESPONSE' }],
    ['//v1/responses', { model: 'default', input: 'again', conversation: 'conv_SESSION' }],
    ['//v1/responses', { model: 'default', input: 'again', conversation: { id: 'conv_SESSION' } }],
  ];

  it.each(FIELDS)('POST %s %j answers 404', async (path, body) => {
    const written = JSON.stringify(body)
      .replaceAll('RESPONSE', ids['/v1/responses'] ?? '')
      .replaceAll('SESSION', sessionId)
      .replaceAll('RUN', runId);
    const { status } = await ben.request('POST', path, JSON.parse(written));
    expect(status).toBe(404);
  });

  it('is no thread of another person, who gets a new one under the same name', async () => {
    const start = (client: PersonClient, threadId: string) =>
      client.request('POST', '//agui/default', {
        threadId,
        runId: 'r1',
        messages: [{ id: 'm1', role: 'user', content: 'again' }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      });
    const before = await anna.request<{ data: unknown[] }>('GET', `/runs?sessionId=${sessionId}`);
    expect((await start(ben, sessionId)).status).toBe(200);
    expect((await start(anna, 'plans')).status).toBe(200);
    expect((await start(ben, 'plans')).status).toBe(200);
    expect((await anna.request<{ data: unknown[] }>('GET', `/runs?sessionId=${sessionId}`)).body.data).toHaveLength(
      before.body.data.length,
    );
    const sessions = await ben.request<{ data: { owner: string }[] }>('GET', '/sessions');
    expect(sessions.body.data.map(({ owner }) => owner)).toEqual(['@ben', '@ben']);
  });

  it('is no A2A task of another person', async () => {
    const call = (client: PersonClient, method: string, params: object) =>
      client.request<{ error?: object; result?: { tasks?: unknown[] } }>(
        'POST',
        '//a2a',
        { jsonrpc: '2.0', id: 1, method, params },
        { 'a2a-version': '1.0' },
      );
    expect((await call(anna, 'GetTask', { id: runId })).body.error).toBeUndefined();
    expect((await call(ben, 'GetTask', { id: runId })).body.error).toMatchObject({ code: -32001 });
    expect((await call(ben, 'CancelTask', { id: runId })).body.error).toMatchObject({ code: -32001 });
    expect(JSON.stringify((await call(ben, 'ListTasks', {})).body)).not.toContain(sessionId);
  });
});

describe('over a socket', () => {
  let socket: ChatClient;
  const messages = () => [
    { type: 'chat', text: 'hello', sessionId },
    { type: 'subscribe', sessionId },
    { type: 'clarify_response', sessionId, requestId: ids['/api/v1/clarifications'], answer: 'yes' },
    { type: 'approval_response', sessionId, requestId: ids['/api/v1/approvals'], decision: 'deny' },
    { type: 'clarify_extend', sessionId, requestId: ids['/api/v1/clarifications'] },
    { type: 'cancel', runId },
    { type: 'steer', runId, text: 'faster' },
    { type: 'set_thinking_level', sessionId, level: 'low' },
    { type: 'typing', sessionId },
  ];

  beforeAll(async () => {
    const { secret } = await keys.makeKey({ name: 'socket', scopes: ['chat', 'approve'] });
    socket = await connectChat(keys.url, { token: secret, capabilities: ['clarify@1', 'approval@1'] });
  });
  afterAll(() => socket?.close());

  it('no message reaches it', async () => {
    const others = ['watch_sessions', 'ping'];
    expect(messages().map(({ type }) => type)).toEqual(Object.keys(MESSAGE_SCOPES).filter(type => !others.includes(type)));
    for (const message of messages()) expect([message.type, (await socket.send(message)).error?.code]).toEqual([message.type, 'not_found']);
  });
});

describe('who sees a session', () => {
  const change = (client: Pick<RestClient, 'request'>, body: object) => client.request('PATCH', `/sessions/${sessionId}`, body);
  const seenBy = async (client: Pick<RestClient, 'request'>) => (await client.request('GET', `/sessions/${sessionId}`)).status === 200;

  it('is changed by the owner, and counts at once', async () => {
    expect((await change(anna, { sharedWith: ['@ben'] })).body).toMatchObject({ visibility: 'shared', sharedWith: ['@ben'] });
    expect([await seenBy(ben), await seenBy(chief), await seenBy(service)]).toEqual([true, false, false]);
    expect((await ben.request<{ data: { id: string }[] }>('GET', '/sessions')).body.data.map(({ id }) => id)).toContain(sessionId);
    expect((await change(anna, { sharedWith: ['admin'] })).status).toBe(200);
    expect([await seenBy(ben), await seenBy(chief), await seenBy(service)]).toEqual([false, true, false]);
    expect((await change(anna, { visibility: 'tenant' })).status).toBe(200);
    expect([await seenBy(ben), await seenBy(chief), await seenBy(service)]).toEqual([true, true, true]);
    expect((await change(anna, { visibility: 'private' })).status).toBe(200);
    expect([await seenBy(ben), await seenBy(chief), await seenBy(service)]).toEqual([false, false, false]);
  });

  it('is changed by an admin, who does not read it by that, and by nobody else', async () => {
    expect((await change(ben, { visibility: 'tenant' })).status).toBe(404);
    expect((await change(chief, { sharedWith: ['@ben'] })).status).toBe(204);
    expect([await seenBy(ben), await seenBy(chief)]).toEqual([true, false]);
    const refused = await change(ben, { visibility: 'tenant' });
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({ details: { part: 'watcher', needed: ['owner'] } }),
    ]);
    expect((await change(anna, { sharedWith: ['@nobody'] })).body).toMatchObject({ error: { param: '/sharedWith' } });
    const audit = await keys.admin.request<{ data: { actor: string; action: string }[] }>('GET', '/audit');
    expect(audit.body.data).toContainEqual(expect.objectContaining({ action: 'session.access', actor: '@chief', target: sessionId }));
  });

  it('a watcher reads, a driver writes, an approver answers', async () => {
    const put = (role: string) => anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role });
    const write = () => ben.request('PATCH', `/sessions/${sessionId}`, { thinkingLevel: 'low' });
    const answer = () => ben.request('POST', `/approvals/${ids['/api/v1/clarifications']}`, { decision: 'deny' });
    const tried: Record<string, [number, number]> = {};
    for (const role of ['watcher', 'driver', 'approver']) {
      expect((await put(role)).status).toBe(201);
      tried[role] = [(await write()).status, (await answer()).status];
    }
    // 404: the question is no approval.
    expect(tried).toEqual({ watcher: [403, 404], driver: [200, 404], approver: [403, 404] });
    expect((await ben.request('POST', '/runs', { input: 'again', sessionId })).body).toMatchObject({
      error: { code: 'forbidden', details: { part: 'approver', needed: ['owner', 'driver'] } },
    });
    expect((await anna.request('GET', `/sessions/${sessionId}/participants`)).body).toMatchObject({
      data: [{ person: '@ben', role: 'approver', addedBy: '@anna' }],
    });
  });

  it('a driver hands over, and everybody may leave', async () => {
    await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
    const handOver = await ben.request('POST', `/sessions/${sessionId}/participants`, { person: '@chief', role: 'driver' });
    expect(handOver.status).toBe(201);
    expect(await seenBy(chief)).toBe(true);
    expect((await ben.request('DELETE', `/sessions/${sessionId}/participants/@ben`)).status).toBe(204);
    expect([await seenBy(ben), await seenBy(chief)]).toEqual([false, true]);
    expect((await ben.request('DELETE', `/sessions/${sessionId}`)).status).toBe(404);
    expect((await chief.request('DELETE', `/sessions/${sessionId}`)).status).toBe(403);
  });
});

it('the key of a person sees what the person sees, and ends with the person', async () => {
  const carl = await invite('carl', 'admin');
  const made = await carl.request<{ secret: string }>('POST', '/api-keys', { name: 'carls', scopes: ['chat', 'tools'] });
  const key = withKey(keys.url, made.body.secret);
  const own = await key.request<{ id: string; owner: string }>('POST', '/sessions', { title: 'Notes' });
  expect(own.body.owner).toBe('@carl');
  expect((await carl.request('GET', `/sessions/${own.body.id}`)).status).toBe(200);
  expect((await keys.admin.request('GET', `/sessions/${own.body.id}`)).status).toBe(404);
  expect((await key.request('GET', '/me')).body).toMatchObject({ keyName: '@carl', scopes: ['chat', 'tools'], person: { role: 'admin' } });
  const { body } = await keys.admin.request<{ data: { id: string; handle: string }[] }>('GET', '/people');
  await keys.admin.request('DELETE', `/people/${body.data.find(({ handle }) => handle === '@carl')?.id}`);
  expect((await key.request('GET', '/me')).status).toBe(401);
});

it('what a key makes belongs to the tenant', async () => {
  const made = await service.request<{ id: string; owner?: string }>('POST', '/sessions', { title: 'Report' });
  expect(made.body.owner).toBeUndefined();
  expect((await ben.request('GET', `/sessions/${made.body.id}`)).status).toBe(200);
  expect((await keys.admin.request('PATCH', `/sessions/${made.body.id}`, { visibility: 'private' })).status).toBe(403);
});
