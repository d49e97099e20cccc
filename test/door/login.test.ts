/** Logins of pages: a key becomes a cookie, and only pages of the gateway itself may use it. */
import { io } from 'socket.io-client';
import { ADMIN, type KeyBench, startKeyBench } from '../support/key_bench';
import { createRestClient } from '../support/rest_client';

let keys: KeyBench;

beforeAll(async () => {
  keys = await startKeyBench({ NETA_ORIGINS: 'https://elsewhere.example', NETA_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => keys?.bench.stop());

async function logIn(key = ADMIN, headers: Record<string, string> = {}) {
  const answer = await createRestClient(keys.url).request('POST', '/login', { key }, { origin: keys.url, ...headers });
  const cookie = answer.headers.get('set-cookie') ?? '';
  return { ...answer, cookie, sent: { cookie: cookie.split(';')[0] ?? '' } };
}

const me = (headers: Record<string, string>) => createRestClient(keys.url).request('GET', '/me', undefined, headers);

/** Resolves with `connected`, or with the code of the refusal. */
async function connectWith(
  extraHeaders: Record<string, string>,
  auth: { token?: string } = {},
  query: Record<string, string> = {},
): Promise<string | undefined> {
  const socket = io(keys.url, { transports: ['websocket'], extraHeaders, auth, query, reconnection: false, forceNew: true });
  try {
    return await new Promise(resolve => {
      socket.once('connect', () => resolve('connected'));
      socket.once('connect_error', (error: Error & { data?: { error: { code: string } } }) => resolve(error.data?.error.code));
    });
  } finally {
    socket.close();
  }
}

it('ASVS 3.2.2, 3.2.4, 3.3.2, 3.4.2, 3.4.3, 3.5.2: exchanges a key for a random cookie of 12 hours that pages cannot read and other sites cannot send', async () => {
  const { status, body, cookie, sent } = await logIn();
  expect(status).toBe(200);
  expect(body).toMatchObject({ keyName: 'root', loginRequired: true, expiresAt: expect.any(String) });
  expect(cookie).toMatch(/^neta_session=neta_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  expect(cookie).not.toContain(ADMIN);
  expect((await logIn()).sent).not.toEqual(sent);
  const { expiresAt } = body as unknown as { expiresAt: string };
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
  expect((await me(sent)).body).toMatchObject({ keyName: 'root' });
});

it('ASVS 3.1.1: takes no key and no token from an address', async () => {
  const { sent } = await logIn();
  const token = sent.cookie.replace('neta_session=', '');
  for (const [name, secret] of [
    ['token', token],
    ['key', ADMIN],
    ['access_token', ADMIN],
  ] as const) {
    const { status } = await createRestClient(keys.url).request('GET', `/me?${name}=${secret}`);
    expect([name, status]).toEqual([name, 401]);
    expect([name, await connectWith({ origin: keys.url }, {}, { [name]: secret })]).toEqual([name, 'unauthenticated']);
  }
});

it('ASVS 3.4.1: marks the cookie Secure when a trusted proxy says https', async () => {
  const { cookie } = await logIn(ADMIN, { 'x-forwarded-proto': 'https', origin: keys.url.replace('http:', 'https:') });
  expect(cookie).toMatch(/; Secure$/);
});

it('ASVS 4.2.2: lets only a page of the gateway change something with the cookie', async () => {
  const { sent } = await logIn();
  const create = (headers: Record<string, string>) => createRestClient(keys.url).request('POST', '/sessions', {}, { ...sent, ...headers });
  expect((await create({ origin: keys.url })).status).toBe(201);
  expect((await create({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  expect((await create({})).status).toBe(401);
  expect((await create({ origin: 'https://elsewhere.example' })).status).toBe(401);
  expect((await create({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
  expect((await logIn(ADMIN, { origin: 'https://elsewhere.example' })).status).toBe(403);
});

it('opens a socket with the cookie from an own page, from no other', async () => {
  const { sent } = await logIn();
  const connect = (headers: Record<string, string>) => connectWith({ ...sent, ...headers });
  expect(await connect({ origin: keys.url })).toBe('connected');
  expect(await connect({ origin: 'https://elsewhere.example' })).toBe('unauthenticated');
  expect(await connect({})).toBe('unauthenticated');
});

it('ASVS 3.3.1: ends one login or all of them, and their sockets', async () => {
  const [first, second, third] = [await logIn(), await logIn(), await logIn()];
  const logOut = (sent: Record<string, string>, body: object) =>
    createRestClient(keys.url).request('POST', '/logout', body, { ...sent, origin: keys.url });
  const socket = io(keys.url, { transports: ['websocket'], extraHeaders: { ...third.sent, origin: keys.url }, forceNew: true });
  await new Promise(resolve => socket.once('connect', () => resolve(undefined)));
  const { status, headers } = await logOut(first.sent, {});
  expect([status, headers.get('set-cookie')]).toEqual([
    204,
    expect.stringContaining('neta_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'),
  ]);
  expect([(await me(first.sent)).status, (await me(second.sent)).status]).toEqual([401, 200]);
  const gone = new Promise(resolve => socket.once('disconnect', resolve));
  expect((await logOut(second.sent, { everywhere: true })).status).toBe(204);
  expect(await gone).toBe('io server disconnect');
  expect([(await me(second.sent)).status, (await me(third.sent)).status]).toEqual([401, 401]);
});

it('keeps a login over a restart, and stores no cookie', async () => {
  const { sent } = await logIn();
  await keys.bench.gateway.restart();
  expect((await me(sent)).body).toMatchObject({ keyName: 'root' });
});

it('ASVS 2.2.1: refuses an address after too many wrong keys, with Retry-After, but not a key that was right from there', async () => {
  const client = '203.0.113.9';
  const good = { authorization: `Bearer ${ADMIN}`, 'x-forwarded-for': client };
  expect((await me(good)).status).toBe(200);
  const wrong = { authorization: 'Bearer wrong-key-of-a-stranger', 'x-forwarded-for': client };
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++) statuses.push((await me(wrong)).status);
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  const { status, headers, body } = await logIn('another-wrong-key', { 'x-forwarded-for': client });
  expect([status, body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(statuses.at(-1)).toBe(429);
  expect((await me(good)).status).toBe(200);
  expect((await me({ ...wrong, 'x-forwarded-for': '203.0.113.10' })).status).toBe(401);
});

it('lets an address read 60 pages of shared chats in a minute without a login, whether the link is right or not', async () => {
  const read = (address: string) =>
    createRestClient(keys.url).request('GET', '/public/shared', undefined, { 'x-forwarded-for': address, 'x-share-token': 'neta_none' });
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) statuses.push((await read('203.0.113.20')).status);
  expect(statuses).toEqual(Array(60).fill(404));
  const refused = await read('203.0.113.20');
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await read('203.0.113.21')).status).toBe(404);
});

describe('an address that guesses', () => {
  const statusesOf = async (requests: readonly Record<string, string>[]) => {
    const statuses: number[] = [];
    for (const headers of requests) statuses.push((await me(headers)).status);
    return statuses;
  };
  const unknown = (i: number) => ({ cookie: `neta_session=${String(i).padStart(43, 'x')}` });

  it('is refused after 20 unknown cookies, while it can log in and use a login', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const { sent } = await logIn();
    expect(await statusesOf(Array.from({ length: 20 }, (_, i) => ({ ...unknown(i), ...from })))).toEqual(Array(20).fill(401));
    const refused = await me({ ...unknown(20), ...from });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await me({ ...sent, ...from })).status).toBe(200);
    expect((await logIn(ADMIN, from)).status).toBe(200);
    expect((await me({ ...unknown(21), 'x-forwarded-for': '203.0.113.10' })).status).toBe(401);
  });

  it('is refused over sockets too, where its guesses count with those over REST', async () => {
    const from = { 'x-forwarded-for': '203.0.113.77' };
    const guess = (token: string) => connectWith(from, { token });
    const codes: unknown[] = [];
    for (let i = 0; i < 19; i++) codes.push(await guess(`wrong-key-of-a-socket-${i}`));
    expect(codes).toEqual(Array(19).fill('unauthenticated'));
    expect((await me({ authorization: 'Bearer wrong-key-0123456789', ...from })).status).toBe(401);
    expect(await guess('wrong-key-of-a-socket-20')).toBe('rate_limited');
    expect((await me({ authorization: 'Bearer wrong-key-0123456789', ...from })).status).toBe(429);
  });

  it('counts with its IPv6 network', async () => {
    const wrong = (address: string) => ({ authorization: 'Bearer wrong-key-0123456789', 'x-forwarded-for': address });
    const network = Array.from({ length: 20 }, (_, i) => wrong(`2001:db8:1:2:${i.toString(16)}::${i}`));
    expect(await statusesOf(network)).toEqual(Array(20).fill(401));
    expect(await statusesOf([wrong('2001:0db8:1:0002::ffff'), wrong('2001:db8:1:3::1'), wrong('2001:db8::1:2:0:1')])).toEqual([
      429, 401, 401,
    ]);
  });
});
