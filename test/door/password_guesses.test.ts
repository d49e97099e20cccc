/** Wrong passwords for one account: they end soon, and keep neither the person nor others out. */
import { writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { ADMIN, bearer, type KeyBench, startKeyBench } from '../support/key_bench';
import { type MadeLink, tokenOf } from '../support/people_client';
import { createRestClient, type ErrorBody, type RestAnswer } from '../support/rest_client';

const PASSWORD = 'seven green umbrellas';
const NEXT = 'four yellow bicycles';
const WRONG = 'not this password';
const HOME = '198.51.100.7';

let keys: KeyBench;

beforeAll(async () => {
  keys = await startKeyBench({ NETA_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => keys?.bench.stop());

interface Browser {
  from: string;
  cookies?: readonly string[];
}

function send<T = ErrorBody>(path: string, body: object, { from, cookies = [] }: Browser): Promise<RestAnswer<T>> {
  const headers = { 'x-forwarded-for': from, cookie: cookies.join('; '), origin: keys.url };
  return createRestClient(keys.url).request<T>('POST', path, body, headers);
}

const cookiesOf = ({ headers }: { headers: Headers }): string[] => headers.getSetCookie().map(line => line.split(';')[0] ?? '');
const deviceOf = (answer: { headers: Headers }): string[] => cookiesOf(answer).filter(cookie => cookie.startsWith('neta_device='));
const emailOf = (name: string): string => `${name}@example.com`;
const show = (name: string, password: string, browser: Browser) => send('/login', { email: emailOf(name), password }, browser);
const statusOf = async (name: string, password: string, browser: Browser) => (await show(name, password, browser)).status;

async function join(name: string, from = HOME): Promise<RestAnswer<{ person: { id: string } }>> {
  const invitation = { role: 'member', email: emailOf(name) };
  const { body: link } = await createRestClient(keys.url).request<MadeLink>('POST', '/invitations', invitation, bearer(ADMIN));
  return send(`/invitations/${tokenOf(link)}`, { name, password: PASSWORD }, { from });
}

const addressesIn = (network: string): string[] => Array.from({ length: 10 }, (_, i) => `${network}.${i + 2}`);

/** Uses up what the account takes from strangers: ten guesses of each of five networks, one of which is the home of the person. */
async function guessFromEverywhere(name: string): Promise<RestAnswer<ErrorBody>[]> {
  const networks = ['198.51.100', '192.0.2', '203.0.113', '10.20.30', '10.20.31'];
  return Promise.all(networks.flatMap(addressesIn).map(from => show(name, WRONG, { from })));
}

it('ASVS 2.2.1: a stranger who guesses from one network has ten wrong passwords in an hour, and keeps no other network out', async () => {
  await join('anna');
  const tries = await Promise.all(addressesIn('203.0.113').map(from => statusOf('anna', WRONG, { from })));
  expect(tries).toEqual(Array(10).fill(401));
  for (let i = 50; i < 100; i += 1) expect(await statusOf('anna', WRONG, { from: `203.0.113.${i}` })).toBe(429);
  expect(await statusOf('anna', PASSWORD, { from: '192.0.2.9' })).toBe(200);
});

it('ASVS 2.2.1: takes 50 wrong passwords for an account in an hour, and then a browser of the person alone, also in a network that guesses', async () => {
  const device = deviceOf(await join('ben'));
  const foreign = deviceOf(await join('carl'));
  expect((await guessFromEverywhere('ben')).map(({ status }) => status)).toEqual(Array(50).fill(401));
  const stranger = await show('ben', PASSWORD, { from: '10.20.32.1' });
  expect([stranger.status, stranger.body.error.message]).toEqual([429, expect.stringContaining('a browser in which you have logged in')]);
  expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(3_000);
  const last = device[0]?.at(-2) === 'A' ? 'B' : 'A';
  const forged = [`${device[0]?.slice(0, -2)}${last}${device[0]?.at(-1)}`];
  for (const cookies of [[], foreign, forged, ['neta_device=x']])
    expect([cookies, await statusOf('ben', PASSWORD, { from: HOME, cookies })]).toEqual([cookies, 429]);
  expect(await statusOf('ben', PASSWORD, { from: HOME, cookies: device })).toBe(200);
  expect(await statusOf('ben', PASSWORD, { from: '10.20.33.1', cookies: device })).toBe(200);
});

it('ASVS 2.2.1: a browser of the person has ten wrong passwords of its own in an hour, which count for no other one', async () => {
  const device = deviceOf(await join('dora'));
  const other = deviceOf(await show('dora', PASSWORD, { from: HOME }));
  for (let i = 0; i < 10; i += 1) expect(await statusOf('dora', WRONG, { from: HOME, cookies: device })).toBe(401);
  expect(await statusOf('dora', PASSWORD, { from: HOME, cookies: device })).toBe(429);
  expect(await statusOf('dora', PASSWORD, { from: HOME })).toBe(200);
  for (let i = 0; i < 5; i += 1) expect(await statusOf('dora', WRONG, { from: HOME })).toBe(401);
  expect([await statusOf('dora', PASSWORD, { from: HOME }), await statusOf('dora', PASSWORD, { from: HOME, cookies: other })]).toEqual([
    429, 200,
  ]);
});

it('ASVS 2.2.1: a person who is logged in changes the password while others guess it, and the new password ends device cookies from before', async () => {
  const joined = await join('emil');
  const [before, session] = [deviceOf(joined), cookiesOf(joined)];
  await guessFromEverywhere('emil');
  const change = (current: string) => send('/me/password', { current, password: NEXT }, { from: HOME, cookies: session });
  for (let i = 0; i < 9; i += 1) expect((await change(WRONG)).status).toBe(401);
  const changed = await change(PASSWORD);
  expect(changed.status).toBe(204);
  expect(await statusOf('emil', NEXT, { from: HOME, cookies: before })).toBe(429);
  expect(await statusOf('emil', NEXT, { from: HOME, cookies: deviceOf(changed) })).toBe(200);
  expect([(await change(WRONG)).status, (await change(NEXT)).status]).toEqual([401, 429]);
});

it('a link for a new password is no guess: it lets a person in while others guess, and makes the browser known', async () => {
  const { body: me } = await join('fred');
  await guessFromEverywhere('fred');
  const { body: link } = await keys.admin.request<MadeLink>('POST', `/people/${me.person.id}/password-link`);
  const answer = await send(`/invitations/${tokenOf(link)}`, { password: NEXT }, { from: '10.20.34.1' });
  expect(answer.status).toBe(200);
  expect(await statusOf('fred', NEXT, { from: '10.20.34.1', cookies: deviceOf(answer) })).toBe(200);
});

it('ASVS 2.2.1: gives the same answers for an account and for an address without one, before and behind each limit', async () => {
  await join('gina');
  const answersFor = async (name: string) => {
    const tries = await guessFromEverywhere(name);
    for (const from of ['10.20.30.7', '10.20.30.99', '10.20.36.1']) tries.push(await show(name, WRONG, { from }));
    return tries.map(({ status, body: { error } }) => ({ status, ...error, requestId: '', retryAfterMs: 0 }));
  };
  const answers = await answersFor('gina');
  expect(answers.map(({ status }) => status)).toEqual([...Array(50).fill(401), 429, 429, 429]);
  expect(await answersFor('nobody-of-this-name')).toEqual(answers);
});

it('ASVS 3.4.2, 3.4.3: the device cookie is for the gateway alone, lives for a year, and logs nobody in', async () => {
  const answer = await join('hugo');
  const [, line = ''] = answer.headers.getSetCookie();
  expect(line).toMatch(/^neta_device=[\w-]{100,512}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/);
  const me = await createRestClient(keys.url).request('GET', '/me', undefined, { cookie: deviceOf(answer).join() });
  expect(me.status).toBe(401);
});

it('a person joins and logs in without a device cookie while the key of the gateway cannot be read', async () => {
  const usual = keys;
  keys = await startKeyBench();
  try {
    await writeFile(joinPath(keys.bench.gateway.dataDir, 'secret.key'), '');
    const joined = await join('ida');
    expect([joined.status, deviceOf(joined)]).toEqual([200, []]);
    const answer = await show('ida', PASSWORD, { from: HOME, cookies: ['neta_device=of-another-key'] });
    expect([answer.status, deviceOf(answer)]).toEqual([200, []]);
  } finally {
    await keys.bench.stop();
    keys = usual;
  }
});
