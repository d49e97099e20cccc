/** Addresses that the gateway writes when a reverse proxy shows it below a path. */
import { type Gateway, startGateway } from '../support/gateway';
import { type ReverseProxy, startReverseProxy } from '../support/reverse_proxy';

const KEY = 'boss-secret-0123456789';
const ENV = { NETA_API_KEYS: `boss:${KEY}::admin+chat`, NETA_ORIGINS: 'http://127.0.0.1:1' };

let configured: Gateway;
let trusting: Gateway;
const proxies: ReverseProxy[] = [];

beforeAll(async () => {
  [configured, trusting] = await Promise.all([
    startGateway({ env: { ...ENV, NETA_BASE_PATH: 'agent/' } }),
    startGateway({ env: { ...ENV, NETA_TRUST_PROXY: '127.0.0.1' } }),
  ]);
});
afterAll(async () => {
  await Promise.all(proxies.map(proxy => proxy.stop()));
  await Promise.all([configured?.stop(), trusting?.stop()]);
});

async function behind(target: string, strips: boolean, headers: Record<string, string> = {}): Promise<string> {
  const proxy = await startReverseProxy({ target, path: '/agent', strips, headers });
  proxies.push(proxy);
  return proxy.url;
}

const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...init.headers },
  });

describe.each([
  ['removes it, with NETA_BASE_PATH', () => behind(configured.url, true)],
  ['passes it on, with NETA_BASE_PATH', () => behind(configured.url, false)],
  ['removes it and names it in X-Forwarded-Prefix', () => behind(trusting.url, true, { 'x-forwarded-prefix': '/agent/' })],
  ['passes it on and names it in X-Forwarded-Prefix', () => behind(trusting.url, false, { 'x-forwarded-prefix': '/agent' })],
])('below a path, when the proxy %s', (_, start) => {
  let url: string;
  beforeAll(async () => {
    url = await start();
  });

  it('ASVS 3.4.5: the cookie, Location, Link and the types of problems have the path', async () => {
    const login = await ask(`${url}/api/v1/login`, { method: 'POST', body: JSON.stringify({ key: KEY }) });
    expect(login.headers.get('set-cookie')).toMatch(/; Path=\/agent(;|$)/i);
    const body = JSON.stringify({ input: 'What can you do?' });
    const accepted = await ask(`${url}/api/v1/runs`, { method: 'POST', body, headers: { prefer: 'respond-async' } });
    const location = accepted.headers.get('location') ?? '';
    expect(location).toMatch(/^\/agent\/api\/v1\/runs\/run_/);
    expect((await ask(new URL(location, url).href)).status).toBe(200);
    await ask(`${url}/api/v1/sessions`, { method: 'POST', body: '{}' });
    const list = await ask(`${url}/api/v1/sessions?limit=1`);
    expect(list.headers.get('link')).toMatch(/^<\/agent\/api\/v1\/sessions\?.*>; rel="next"/);
    const problem = await ask(`${url}/api/v1/runs/run_none`, { headers: { accept: 'application/problem+json' } });
    expect(((await problem.json()) as { type: string }).type).toContain('/agent/');
  });

  it('the document of the API leads back below the path', async () => {
    const { servers } = (await (await ask(`${url}/openapi.json`)).json()) as { servers: { url: string }[] };
    expect(new URL(servers[0]?.url ?? '/', `${url}/openapi.json`).pathname.replace(/\/$/, '')).toBe('/agent');
  });
});

it('a gateway with a path answers its own address without it too, such as probes', async () => {
  for (const path of ['/healthz', '/agent/healthz', '/readyz', '/agent/api/v1/info'])
    expect((await ask(`${configured.url}${path}`)).status).toBe(200);
  expect((await ask(`${configured.url}/agent`)).headers.get('location')).toBe('/agent/');
});

it.each(['//evil.example', '/../etc', 'https://evil.example', '/a"b', `/${'a'.repeat(300)}`])(
  'a prefix that is no path does not count: %s',
  async prefix => {
    const url = await behind(trusting.url, true, { 'x-forwarded-prefix': prefix });
    const login = await ask(`${url}/api/v1/login`, { method: 'POST', body: JSON.stringify({ key: KEY }) });
    expect(login.headers.get('set-cookie')).toMatch(/; Path=\/(;|$)/i);
  },
);

it('a prefix of a sender that is no trusted proxy does not count', async () => {
  const answer = await ask(`${configured.url}/api/v1/login`, {
    method: 'POST',
    body: JSON.stringify({ key: KEY }),
    headers: { 'x-forwarded-prefix': '/other' },
  });
  expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/agent(;|$)/i);
});
