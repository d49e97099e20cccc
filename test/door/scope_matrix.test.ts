/**
 * Every route and every socket message with every scope, generated from their rows, and with the key of another tenant. A route without a row
 * fails to compile; one that the rows do not know is refused to everybody but an admin.
 */

import type { RouteRow } from '../../src/controller/route';
import { MESSAGE_SCOPES } from '../../src/gateway/protocol';
import { DEFAULT_TENANT, hasScope, type NeededScope, SCOPES, type Scope } from '../../src/port/principal';
import { ROUTES } from '../../src/routes';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { createRestClient, type ErrorBody, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

const MESSAGES = Object.entries(MESSAGE_SCOPES) as [string, NeededScope][];
const nameOf = ({ method, path }: RouteRow) => `${method.toUpperCase()} ${path}`;
const listed = (needed: NeededScope) => (typeof needed === 'string' ? needed : needed.join(' or '));

let keys: KeyBench;
const clients = new Map<Scope, RestClient>();
const sockets = new Map<Scope, ChatClient>();
let rival: RestClient;
let rivalSocket: ChatClient;

beforeAll(async () => {
  keys = await startKeyBench();
  for (const scope of SCOPES) {
    const { secret } = await keys.makeKey({ name: `only-${scope.replace(':', '-')}`, scopes: [scope] });
    clients.set(scope, withKey(keys.url, secret));
    sockets.set(scope, await connectChat(keys.url, { token: secret, capabilities: ['clarify@1', 'approval@1'] }));
  }
  const { secret } = await keys.makeKey({ name: 'rival', tenant: 'rival', scopes: [...SCOPES] });
  rival = withKey(keys.url, secret);
  rivalSocket = await connectChat(keys.url, { token: secret });
});
afterAll(async () => {
  for (const socket of [...sockets.values(), rivalSocket]) socket?.close();
  await keys?.bench.stop();
});

/** Sends a request that no route carries out: its body and its ids are wrong. */
function probe(client: RestClient, { method, path }: RouteRow) {
  const url = `/${path.replaceAll(/:\w+(\(\.\*\))?/g, 'unknown_id')}`;
  const hasBody = method !== 'get' && method !== 'delete';
  return client.request(method.toUpperCase(), url, hasBody ? { odd_field: true } : undefined);
}

const codeOf = (body: Partial<ErrorBody> | undefined) => body?.error?.code;

const WHOLE_GATEWAY = 'concerns the whole gateway';

/** Routes that need a scope of the operator pages, and an operator as well. */
const FOR_OPERATORS = new Set(['listOpsLogs', 'watchOpsLogs', 'getOpsConfigFile', 'putOpsConfigFile', 'raiseOpsLimit']);

/** Reads of lists and documents answer 200, which for streams and exports takes no body to be read. */
const ROUTES_WITH_KEY = ROUTES.filter(({ scope }) => scope !== 'open');

describe.each(ROUTES_WITH_KEY.map(row => [nameOf(row), listed(row.scope), row] as const))('%s (%s)', (_name, _scope, row) => {
  it('is refused without a key', async () => {
    const { status, headers } = await probe(createRestClient(keys.url), row);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('serves a key with its scope alone', async () => {
    const refused: Scope[] = [];
    for (const [scope, client] of clients) {
      const { status, body } = await probe(client, row);
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
      // A route may refuse something else; the shape of the error differs below /v1 and /scim.
      if (status === 403 && JSON.stringify(body).includes(row.scope === 'operator' ? WHOLE_GATEWAY : 'needs the scope'))
        refused.push(scope);
    }
    const without = SCOPES.filter(scope => !hasScope({ tenantId: DEFAULT_TENANT, keyName: '', scopes: new Set([scope]) }, row.scope));
    expect(refused).toEqual(without);
  });

  if (row.scope === 'operator' || FOR_OPERATORS.has(row.operationId))
    it('refuses an admin of another tenant', async () => {
      const { status, body } = await probe(rival, row);
      expect([status, body.error.message]).toEqual([403, expect.stringContaining(WHOLE_GATEWAY)]);
    });
});

describe.each(MESSAGES)('the message %s (%s)', (type, needed) => {
  it('serves a key with its scope alone', async () => {
    for (const [scope, socket] of sockets) {
      const { error } = await socket.send({ type, odd_field: true });
      // The shape is checked first, so a complete message tells.
      expect(error === undefined || error.code === 'invalid_request').toBe(true);
      const ack = await socket.send(completeMessage(type));
      const may = hasScope({ tenantId: '', keyName: '', scopes: new Set([scope]) }, needed);
      expect([scope, ack.error?.code === 'forbidden']).toEqual([scope, !may]);
    }
  });
});

/** A message of this type about things that do not exist. */
function completeMessage(type: string): Record<string, unknown> {
  const ids = { sessionId: 'ses_unknown', requestId: 'unknown' };
  const messages: Record<string, object> = {
    chat: { text: 'hello', sessionId: 'ses_unknown' },
    subscribe: { sessionId: 'ses_unknown' },
    clarify_response: { ...ids, answer: 'yes' },
    approval_response: { ...ids, decision: 'deny' },
    clarify_extend: ids,
    cancel: { runId: 'run_unknown' },
    steer: { runId: 'run_unknown', text: 'faster' },
    set_thinking_level: { sessionId: 'ses_unknown', level: 'low' },
    typing: { sessionId: 'ses_unknown' },
    watch_sessions: {},
    ping: {},
  };
  const message = messages[type];
  if (!message) throw new Error(`Say how the message ${type} looks.`);
  return { type, ...message };
}

/** Routes of one thing that belongs to a tenant. Skills and files have names, which tenants.test.ts tries. */
const OWNED_PATH =
  /^\/(?:api\/v1\/(?:runs|sessions|clarifications|approvals|memories|prompts|jobs|webhooks|hooks|push-subscriptions|tool-executions)|v1\/responses)\/:/;

describe('things of another tenant', () => {
  /** One of each thing of the tenant `default`: parameter of a path -> id, by the start of the path. */
  let ids: Record<string, string>;
  let sessionId: string;
  let runId: string;

  beforeAll(async () => {
    const { admin, bench } = keys;
    bench.model.onTurn('read the keys', { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] });
    bench.model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] });
    const idOf = async (path: string, body: object) => (await admin.request<{ id: string }>('POST', path, body)).body.id;
    const run = await admin.request<{ runId: string; sessionId: string }>('POST', '/runs', { input: 'ask me' });
    ({ runId, sessionId } = run.body);
    const response = await admin.request<{ id: string }>('POST', '//v1/responses', { model: 'default', input: 'ask me' });
    await admin.request('POST', '/runs', { input: 'read the keys', clarify: 'wait' }, { prefer: 'respond-async' });
    const asked = await admin.request<{ data: { requestId: string }[] }>('GET', '/clarifications?status=pending');
    await admin.request('POST', '/tools/call', { toolName: 'calculator', parameters: { expression: '1+1' } });
    const executions = await admin.request<{ data: { id: string }[] }>('GET', '/tool-executions');
    const schedule = { cron: '0 8 * * *', timeZone: 'UTC' };
    await admin.request('PUT', `/runs/${runId}/feedback`, { rating: 'up' });
    ids = {
      '/api/v1/runs': runId,
      '/api/v1/sessions': sessionId,
      '/api/v1/clarifications': asked.body.data[0]?.requestId ?? '',
      '/api/v1/approvals': await pendingApproval(admin),
      '/api/v1/webhooks': await idOf('/webhooks', { url: 'https://example.com/neta' }),
      '/api/v1/hooks': await idOf('/hooks', { name: 'cellar', template: '{{body}}' }),
      '/api/v1/push-subscriptions': await idOf('/push-subscriptions', {
        endpoint: 'https://push.example.com/send/a',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      }),
      '/v1/responses': response.body.id,
      '/api/v1/memories': await idOf('/memories', { text: 'The cellar door is green.' }),
      '/api/v1/prompts': await idOf('/prompts', { name: 'cellar', text: 'Look into the cellar.' }),
      '/api/v1/jobs': await idOf('/jobs', { name: 'Water', input: 'Water the beds', schedule }),
      '/api/v1/tool-executions': executions.body.data[0]?.id ?? '',
    };
    expect(Object.values(ids).filter(id => !id)).toEqual([]);
  });

  const OWNED = ROUTES.filter(({ path }) => OWNED_PATH.test(path));

  it.each(OWNED.map(row => [nameOf(row), row] as const))('%s answers as for an unknown id', async (_name, row) => {
    const prefix = row.path.slice(0, row.path.indexOf('/:'));
    const ask = (id: string) => {
      const path = row.path.replace(/:\w+/, id).replaceAll(/:\w+/g, 'unknown');
      const hasBody = row.method !== 'get' && row.method !== 'delete';
      return rival.request(row.method.toUpperCase(), `/${path}`, hasBody ? (BODIES[row.operationId] ?? {}) : undefined);
    };
    const [theirs, unknown] = [await ask(ids[prefix] ?? ''), await ask('unknown_id')];
    expect([theirs.status, codeOf(theirs.body)]).toEqual([404, 'not_found']);
    const shape = ({ requestId: _id, ...error }: ErrorBody['error']) => error;
    expect(shape(theirs.body.error)).toEqual(shape(unknown.body.error));
  });

  const LISTS = [
    '/runs',
    '/sessions',
    '/clarifications',
    '/approvals',
    '/memories',
    '/jobs',
    '/tool-executions',
    '/webhooks',
    '/hooks',
    '/push-subscriptions',
    '/files',
    '/feedback',
    '/prompts',
    '/search?q=cellar',
  ];

  it.each(LISTS)('GET %s lists none of them', async path => {
    const { status, body } = await rival.request<{ data: unknown[] }>('GET', path);
    expect([status, body.data]).toEqual([200, []]);
  });

  it('cannot be reached by a socket message either', async () => {
    const requestId = ids['/api/v1/clarifications'];
    const messages = [
      { type: 'chat', text: 'hello', sessionId },
      { type: 'subscribe', sessionId },
      { type: 'clarify_response', sessionId, requestId, answer: 'yes' },
      { type: 'approval_response', sessionId, requestId: ids['/api/v1/approvals'], decision: 'deny' },
      { type: 'clarify_extend', sessionId, requestId },
      { type: 'cancel', runId },
      { type: 'steer', runId, text: 'faster' },
      { type: 'set_thinking_level', sessionId, level: 'low' },
    ];
    for (const message of messages)
      expect([message.type, (await rivalSocket.send(message)).error?.code]).toEqual([message.type, 'not_found']);
    expect((await keys.admin.request('GET', `/sessions/${sessionId}`)).status).toBe(200);
  });
});

async function pendingApproval(client: RestClient): Promise<string> {
  const open = async () => (await client.request<{ data: { requestId: string }[] }>('GET', '/approvals?status=pending')).body.data[0];
  return (await until(open))?.requestId ?? '';
}

/** Complete bodies, so that only the id decides. */
const BODIES: Record<string, object> = {
  createBranch: { before: 'run_unknown' },
  answerClarification: { answer: 'yes' },
  decideApproval: { decision: 'deny' },
  updateMemory: { text: 'The cellar door is red.' },
  updatePrompt: { text: 'Close the cellar.' },
  updateJob: { name: 'Dry' },
  rateRun: { rating: 'up' },
  updateSession: { title: 'Mine' },
  putParticipant: { person: '@ann', role: 'watcher' },
  steerRun: { text: 'faster' },
};
