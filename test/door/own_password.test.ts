/** People who change their own password. */
import { io } from 'socket.io-client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, logInAs, logInWithKey, type MadeLink, type PersonClient } from '../support/people_client';
import { createRestClient, type PageBody } from '../support/rest_client';

const PASSWORD = 'seven green umbrellas';
const NEXT = 'four yellow bicycles';
const TRIES_OF_ACCOUNT = 5;

let keys: KeyBench;

beforeAll(async () => {
  keys = await startKeyBench();
  keys.bench.model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] });
});
afterAll(() => keys?.bench.stop());

async function newPerson(name: string, role = 'member'): Promise<PersonClient> {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
}

const change = (person: Pick<PersonClient, 'request'>, current: string, password: string) =>
  person.request('POST', '/me/password', { current, password });
const login = (name: string, password: string) =>
  createRestClient(keys.url).request('POST', '/login', { email: `${name}@example.com`, password });

it('ASVS 2.1.5, 2.1.6, 3.3.3: changes the password by the current one, ends all other logins with their sockets and streams and a link from before, and goes on', async () => {
  const anna = await newPerson('anna');
  const there = await logInAs(keys.url, 'anna@example.com', PASSWORD);
  const { body: run } = await anna.request<{ runId: string }>('POST', '/runs', { input: 'ask me' }, { prefer: 'respond-async' });
  const connect = async ({ headers }: PersonClient) => {
    const socket = io(keys.url, { transports: ['websocket'], extraHeaders: headers, reconnection: false });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
    return socket;
  };
  const [here, away] = [await connect(anna), await connect(there)];
  const stream = await fetch(`${keys.url}/api/v1/runs/${run.runId}/events`, {
    headers: { ...there.headers, accept: 'text/event-stream' },
  });
  const reader = stream.body?.getReader();
  const ended = new Promise(resolve => away.once('disconnect', resolve));
  const { body: me } = await anna.request<{ person: { id: string } }>('GET', '/me');
  const { body: link } = await keys.admin.request<MadeLink>('POST', `/people/${me.person.id}/password-link`);
  expect((await change(anna, PASSWORD, NEXT)).status).toBe(204);
  await expect(acceptInvitation(keys.url, link, { password: 'two silver kettles' })).rejects.toThrow('not_found');
  await ended;
  while (!(await reader?.read())?.done);
  expect([(await there.request('GET', '/me')).status, (await anna.request('GET', '/me')).status]).toEqual([401, 200]);
  expect(here.connected).toBe(true);
  here.close();
  expect([(await login('anna', PASSWORD)).status, (await login('anna', NEXT)).status]).toEqual([401, 200]);
  const { body: audit } = await keys.admin.request<PageBody<object>>('GET', '/audit?action=person.password&target=@anna');
  expect(audit.data).toMatchObject([{ actor: '@anna', details: {} }]);
  expect(JSON.stringify(audit) + keys.bench.gateway.output()).not.toMatch(/umbrellas|bicycles/);
});

it('ASVS 2.1.6: changes the password while wrong ones at the same address refuse logins, and lets no key change it', async () => {
  const ben = await newPerson('ben', 'admin');
  const key = await ben.request<{ secret: string }>('POST', '/api-keys', { name: 'ben-key', scopes: ['chat'] });
  expect((await change(withKey(keys.url, key.body.secret), PASSWORD, NEXT)).status).toBe(403);
  expect((await change(keys.admin, PASSWORD, NEXT)).status).toBe(403);
  expect(await change(ben, PASSWORD, 'short')).toMatchObject({ status: 400, body: { error: { param: '/password' } } });
  expect(await change(ben, 'not this password', NEXT)).toMatchObject({
    status: 401,
    body: { error: { code: 'unauthenticated', param: '/current' } },
  });
  for (let i = 0; i < TRIES_OF_ACCOUNT; i += 1) expect((await login('ben', 'not this password')).status).toBe(401);
  const refused = await login('ben', PASSWORD);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0, (await change(ben, PASSWORD, NEXT)).status]).toEqual([
    429,
    true,
    204,
  ]);
});

it('ASVS 4.1.3: lets no cookie of a key change how its person logs in, and reads no more by it than by the key', async () => {
  const dora = await newPerson('dora', 'admin');
  const { person } = (await dora.request<{ person: { id: string } }>('GET', '/me')).body;
  const { body } = await dora.request<{ secret: string }>('POST', '/api-keys', { name: 'dora-key', scopes: ['ops:read'] });
  const thief = await logInWithKey(keys.url, body.secret);
  expect((await thief.request<{ person: { id: string } }>('GET', '/me')).body.person.id).toBe(person.id);
  const asked = [
    ['POST', '/me/password', { current: PASSWORD, password: NEXT }],
    ['POST', '/me/passkeys/options'],
    ['POST', '/me/totp'],
    ['POST', '/me/totp/confirm', { code: '123456' }],
    ['DELETE', '/me/passkeys/unknown'],
    ['GET', `/people/${person.id}/export`],
  ] as const;
  for (const [method, path, sent] of asked) expect([path, (await thief.request(method, path, sent)).status]).toEqual([path, 403]);
  for (const path of ['/me/sign-ins', '/me/providers']) expect((await thief.request<PageBody<object>>('GET', path)).body.data).toEqual([]);
  expect((await login('dora', PASSWORD)).status).toBe(200);
});

it('ASVS 2.1.2, 2.1.3, 2.1.4, 2.1.9: takes 64 characters of any kind and asks for none, refuses 129, and cuts nothing', async () => {
  const carl = await newPerson('carl');
  const whole = 'the quick fox jumps over it '.repeat(5).slice(0, 128);
  const passwords = ['🦊🌲🚲🎈🐢🌙🍋🎺'.repeat(8), '  三只猫在 屋顶 上 看 月亮 ', whole];
  let current = PASSWORD;
  for (const password of passwords) {
    expect([password, (await change(carl, current, password)).status]).toEqual([password, 204]);
    current = password;
  }
  expect([whole.length, (await login('carl', whole)).status, (await login('carl', whole.slice(0, -1))).status]).toEqual([128, 200, 401]);
  expect(await change(carl, whole, `${whole}!`)).toMatchObject({ status: 400, body: { error: { param: '/password' } } });
});
