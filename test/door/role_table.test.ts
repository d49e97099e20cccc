/**
 * Every route with every kind of caller, generated from the scopes of the routes and of the roles: people of each role, a guest, the key of another
 * tenant, and nobody.
 */
import type { RouteRow } from '../../src/controller/route';
import { hasScope, type Principal, SCOPES } from '../../src/port/principal';
import { GUEST_SCOPES, ROLE_SCOPES, ROLES } from '../../src/port/roles';
import { ROUTES } from '../../src/routes';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink } from '../support/people_client';
import { createRestClient, type RestClient } from '../support/rest_client';

type Client = Pick<RestClient, 'request'>;
/** reached: the route itself answers, whatever it answers to a wrong body or id. */
type Outcome = 'reached' | 401 | 403 | 404;

interface Caller {
  client: Client;
  /** Absent: shows no key. */
  principal?: Principal;
}

const WHOLE_GATEWAY = 'concerns the whole gateway';
/** Routes that need a scope of the operator pages, and an operator as well. */
const FOR_OPERATORS = new Set(['listOpsLogs', 'watchOpsLogs', 'getOpsConfigFile', 'putOpsConfigFile', 'raiseOpsLimit']);

const callers = new Map<string, Caller>();
let keys: KeyBench;
/** A private chat of the member. */
let chat: { runId: string; sessionId: string };

const NAMES = [...ROLES, 'guest', 'another tenant', 'nobody'];

beforeAll(async () => {
  keys = await startKeyBench({ NETA_PUBLIC_SHARES: '1' });
  keys.bench.model.onTurn('hello', 'Hello.');
  for (const role of ROLES) {
    const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${role}@example.com` });
    const client = await acceptInvitation(keys.url, body, { name: role, password: 'seven green umbrellas' });
    const principal = {
      tenantId: 'default',
      keyName: `@${role}`,
      scopes: new Set(ROLE_SCOPES[role]),
      person: { id: '', name: role, role },
    };
    callers.set(role, { client, principal });
  }
  const member = clientOf('member');
  chat = (await member.request<typeof chat>('POST', '/runs', { input: 'hello' })).body;
  const share = await member.request<{ token: string }>('POST', `/sessions/${chat.sessionId}/shares`, { role: 'guest' });
  callers.set('guest', {
    client: withKey(keys.url, share.body.token),
    principal: { tenantId: 'default', keyName: 'guest:', scopes: new Set(GUEST_SCOPES), guestOf: chat.sessionId },
  });
  const { secret } = await keys.makeKey({ name: 'rival', tenant: 'rival', scopes: [...SCOPES] });
  const rival = { tenantId: 'rival', keyName: 'rival', scopes: new Set(SCOPES) };
  callers.set('another tenant', { client: withKey(keys.url, secret), principal: rival });
  callers.set('nobody', { client: createRestClient(keys.url) });
});
afterAll(() => keys?.bench.stop());

const clientOf = (name: string): Client => {
  const caller = callers.get(name);
  if (!caller) throw new Error(`there is no caller ${name}`);
  return caller.client;
};

/** What the declared scopes say. */
function expected({ scope, guests, operationId }: RouteRow, principal: Principal | undefined): Outcome {
  if (scope === 'open') return 'reached';
  if (!principal) return 401;
  const isForOperators = FOR_OPERATORS.has(operationId) && !hasScope(principal, 'operator');
  if (!hasScope(principal, scope)) return 403;
  if (principal.guestOf !== undefined && guests !== 'anywhere') return 404;
  return isForOperators ? 403 : 'reached';
}

/** Sends a request that no route carries out: its body, its ids and its query are wrong. Routes that ask for an operator do so behind the query. */
async function outcomeOf(client: Client, row: RouteRow, says: Outcome): Promise<Outcome> {
  const { method, path } = row;
  const query = method === 'get' && says === 'reached' && !row.takesAnyQuery ? '?odd_field=1' : '';
  const url = `/${path.replaceAll(/:\w+(\(\.\*\))?/g, 'unknown_id')}${query}`;
  const hasBody = method !== 'get' && method !== 'delete';
  const { status, body } = await client.request(method.toUpperCase(), url, hasBody ? { odd_field: true } : undefined);
  expect(status).toBeLessThan(500);
  const text = JSON.stringify(body) ?? '';
  // Open routes answer so to a wrong password or a wrong secret.
  if (status === 401 && row.scope !== 'open') return 401;
  if (status === 403 && (text.includes('needs the scope') || text.includes(WHOLE_GATEWAY))) return 403;
  // To other callers a route says so about an id that it does not know.
  return says === 404 && status === 404 ? 404 : 'reached';
}

it.each(NAMES)('ASVS 4.1.1, 4.1.5, 4.2.1 every route answers %s as its scope says', async name => {
  const { client, principal } = callers.get(name) as Caller;
  const wrong: string[] = [];
  for (const row of ROUTES) {
    const says = expected(row, principal);
    const is = await outcomeOf(client, row, says);
    if (says !== is) wrong.push(`${row.operationId}: ${is} in place of ${says}`);
  }
  expect(wrong).toEqual([]);
});

/** Routes of one session or run. An admin changes who sees a session, which does not let the admin read it: private_sessions.test.ts. */
const OF_CHATS = ROUTES.filter(({ path, operationId }) => /^\/api\/v1\/(?:runs|sessions)\/:/.test(path) && operationId !== 'updateSession');

/** Complete bodies, so that only the id decides. */
const BODIES: Record<string, object> = {
  createBranch: { before: 'run_unknown' },
  putParticipant: { person: '@viewer', role: 'watcher' },
  rateRun: { rating: 'up' },
  steerRun: { text: 'faster' },
};

it.each(['operator', 'admin', 'approver', 'viewer', 'another tenant'])(
  'ASVS 4.1.3, 4.2.1 a private chat is not there for %s',
  async name => {
    const { client, principal } = callers.get(name) as Caller;
    const found: string[] = [];
    for (const row of OF_CHATS) {
      const id = row.path.startsWith('/api/v1/runs/') ? chat.runId : chat.sessionId;
      const path = row.path.replace(/:\w+/, id).replaceAll(/:\w+/g, 'unknown');
      const hasBody = row.method !== 'get' && row.method !== 'delete';
      const { status } = await client.request(row.method.toUpperCase(), `/${path}`, hasBody ? (BODIES[row.operationId] ?? {}) : undefined);
      const says = principal && hasScope(principal, row.scope) ? 404 : 403;
      if (status !== says) found.push(`${row.operationId}: ${status} in place of ${says}`);
    }
    expect(found).toEqual([]);
  },
);
