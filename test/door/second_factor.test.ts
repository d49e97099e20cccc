/** requireSecondFactor of login.yaml: people of these roles add an authenticator app before they may do anything else. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLE_SCOPES } from '../../src/port/roles';
import { ROUTES } from '../../src/routes';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { addApp } from '../support/authenticator';
import { connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, logInAs, type MadeLink, type PersonClient } from '../support/people_client';
import type { RestClient } from '../support/rest_client';
import { until } from '../support/until';

type Client = Pick<RestClient, 'request'>;

const PASSWORD = 'seven green umbrellas';

let config: AgentConfig;
let keys: KeyBench;

beforeAll(async () => {
  config = await createAgentConfig(['base']);
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory });
});
afterAll(async () => {
  await keys?.bench.stop();
  await config?.remove();
});

/** Replaces login.yaml as an editor does. */
async function putLogin(text: string): Promise<void> {
  await writeFile(join(config.directory, 'login.yaml.part'), text);
  await rename(join(config.directory, 'login.yaml.part'), join(config.directory, 'login.yaml'));
}

async function invite(name: string, role: string): Promise<PersonClient> {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
}

const meOf = async (client: Client) =>
  (await client.request<{ scopes: string[]; operator: boolean; person: { id: string; needs?: string } }>('GET', '/me')).body;
const untilScopes = (client: Client, scopes: readonly string[]) =>
  until(async () => JSON.stringify((await meOf(client)).scopes) === JSON.stringify(scopes));

/** Resolves with a promise that a socket of a key, or of a login, has ended. */
async function openSocket(auth: { token?: string }, headers: Record<string, string> = {}): Promise<{ ended: Promise<unknown> }> {
  const chat = await connectChat(keys.url, auth, headers);
  return { ended: new Promise(done => chat.socket.once('disconnect', done)).finally(() => chat.close()) };
}

/** With these a person adds the app, sees who else is logged in, and leaves. */
const BEFORE_THE_APP = ['logOut', 'getCaller', 'listLogins', 'endLogin', 'listFactors', 'beginTotp', 'confirmTotp', 'removeTotp'];

/** Returns the other routes for known callers that answer anything else than the refusal to whoever has no second factor. */
async function reachedBy(client: Client): Promise<string[]> {
  const reached: string[] = [];
  for (const { scope, method, path, operationId } of ROUTES) {
    if (scope === 'open' || BEFORE_THE_APP.includes(operationId)) continue;
    const body = method === 'get' || method === 'delete' ? undefined : {};
    const answer = await client.request(method.toUpperCase(), `/${path.replaceAll(/:\w+(\(\.\*\))?/g, 'unknown_id')}`, body);
    if (answer.status !== 403 || !JSON.stringify(answer.body).includes('authenticator app')) reached.push(operationId);
  }
  return reached;
}

it('ASVS 4.3.1, 2.8.6: keeps an operator from every other route, also by a key, until the app is added, and again when it is removed', async () => {
  const max = await invite('max', 'operator');
  const ben = await invite('ben', 'member');
  const made = await max.request<{ secret: string }>('POST', '/api-keys', { name: 'maxs', scopes: ['chat', 'ops:read', 'admin'] });
  const { secret } = made.body;
  const key = withKey(keys.url, secret);
  const before = await openSocket({ token: secret });
  await putLogin('requireSecondFactor: [operator, admin]\n');
  await before.ended;
  const me = await meOf(max);
  expect(me).toMatchObject({ scopes: [], operator: false, person: { role: 'operator', needs: 'authenticator' } });
  expect([await reachedBy(max), await reachedBy(key)]).toEqual([[], []]);
  expect(await max.request('GET', '/sessions')).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden', details: { needs: 'authenticator' }, message: expect.stringContaining('authenticator app') } },
  });
  expect((await max.request('GET', `/people/${me.person.id}/export`)).status).toBe(403);
  const chat = await connectChat(keys.url, { token: secret });
  expect(await chat.send({ type: 'watch_sessions' })).toMatchObject({ ok: false, error: { details: { needs: 'authenticator' } } });
  chat.close();
  for (const path of ['/me/logins', '/me/factors']) expect((await max.request('GET', path)).status).toBe(200);
  const thief = await logInAs(keys.url, 'max@example.com', PASSWORD);
  expect(await meOf(thief)).toMatchObject({ scopes: [] });
  expect((await meOf(ben)).scopes).toEqual(ROLE_SCOPES.member);

  const { recoveryCodes } = await addApp(max);
  expect((await thief.request('GET', '/me')).status).toBe(401);
  expect(await meOf(max)).toMatchObject({ scopes: ROLE_SCOPES.operator, operator: true });
  expect((await meOf(max)).person.needs).toBeUndefined();
  expect((await meOf(key)).scopes).toEqual(['chat', 'ops:read', 'admin']);
  const between = await openSocket({ token: secret });
  expect((await max.request('POST', '/me/totp/remove', { code: recoveryCodes[0] })).status).toBe(204);
  await between.ended;
  expect([(await meOf(max)).scopes, (await meOf(key)).scopes]).toEqual([[], []]);
});

it('ASVS 3.3.3, 3.3.4: ends the other logins of a person, with their sockets, when the person adds the app', async () => {
  const tom = await invite('tom', 'member');
  const other = await logInAs(keys.url, 'tom@example.com', PASSWORD);
  const socket = await openSocket({}, other.headers);
  await addApp(tom);
  await socket.ended;
  expect((await other.request('GET', '/me')).status).toBe(401);
  expect((await meOf(tom)).scopes).toEqual(ROLE_SCOPES.member);
});

it('asks nobody any more once the file names no role, and keeps the earlier file after a mistake', async () => {
  const eve = await invite('eve', 'admin');
  await putLogin('requireSecondFactor: [admin]\n');
  await untilScopes(eve, []);
  await putLogin('requireSecondFactor: []\n');
  await untilScopes(eve, ROLE_SCOPES.admin);
  await putLogin('requireSecondFactor: [admin, boss]\n');
  await until(
    () => keys.admin.request<{ warnings: string[] }>('GET', '//readyz'),
    ({ body: { warnings } }) => warnings.some(warning => warning.startsWith('login.yaml: /requireSecondFactor/1')),
  );
  expect((await meOf(eve)).scopes).toEqual(ROLE_SCOPES.admin);
});
