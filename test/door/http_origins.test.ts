/** Who may reach the gateway through a browser or a proxy: CORS, host names, and forwarded addresses. */
import { io } from 'socket.io-client';
import { type AgentBench, startBench } from '../support/agent_bench';
import { startAndFail } from '../support/gateway';
import { type RawAnswer, rawRequest } from '../support/raw_request';

const PAGE = 'https://chat.example.com';
const NAME = 'gateway.example.com';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({
    env: { NETA_ORIGINS: PAGE, NETA_HOSTS: `${NAME}, other.example.com:8443`, NETA_TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' },
  });
  bench.model.onTurn('hello', 'hello too');
});

afterAll(() => bench?.stop());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
  rawRequest(`${bench.gateway.url}${path}`, { method, headers });

const namesIn = (header: unknown): string[] =>
  String(header)
    .split(',')
    .map(name => name.trim().toLowerCase());

describe('a page of an origin in NETA_ORIGINS', () => {
  const preflight = (path: string, more: Record<string, string> = {}) =>
    ask(path, { origin: PAGE, 'access-control-request-method': 'POST', ...more }, 'OPTIONS');

  it('learns by a preflight request which methods and headers it may send, and how long that holds', async () => {
    for (const path of ['/api/v1/runs', '/api/v1/sessions/ses_1', '/v1/chat/completions']) {
      const { status, headers, text } = await preflight(path);
      expect([path, status, text]).toEqual([path, 204, '']);
      expect(headers['access-control-allow-origin']).toBe(PAGE);
      expect(namesIn(headers['access-control-allow-methods'])).toEqual(expect.arrayContaining(['get', 'post', 'put', 'patch', 'delete']));
      expect(namesIn(headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'idempotency-key',
          'prefer',
          'last-event-id',
          'x-session-id',
          'traceparent',
        ]),
      );
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(60);
      expect(namesIn(headers['vary'])).toContain('origin');
    }
  });

  it("may send the headers of OpenAI's clients, and no other that it makes up", async () => {
    const { headers } = await preflight('/api/v1/runs', {
      'access-control-request-headers': 'authorization,x-stainless-os,X-Stainless-Retry-Count,x-evil',
    });
    const allowed = namesIn(headers['access-control-allow-headers']);
    expect(allowed).toEqual(expect.arrayContaining(['x-stainless-os', 'x-stainless-retry-count']));
    expect(allowed).not.toContain('x-evil');
  });

  it('may reach a gateway in a private network', async () => {
    const { headers } = await preflight('/api/v1/runs', { 'access-control-request-private-network': 'true' });
    expect(headers['access-control-allow-private-network']).toBe('true');
  });

  it.each([
    ['an answer', '/api/v1/info', 200],
    ['an error', '/api/v1/runs/run_none', 404],
    ['a refused method', '/api/v1/info', 405],
  ])('reads %s, and the headers that clients need', async (_what, path, status) => {
    const answer = await ask(path, { origin: PAGE }, status === 405 ? 'PUT' : 'GET');
    expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': PAGE } });
    expect(namesIn(answer.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'location',
        'retry-after',
        'idempotency-replayed',
        'link',
        'ratelimit',
        'ratelimit-policy',
        'x-session-id',
      ]),
    );
  });

  it('is told apart from pages of other origins by Vary, also when it sends no Origin', async () => {
    expect(namesIn((await ask('/api/v1/info')).headers['vary'])).toContain('origin');
  });

  it('opens a socket', async () => {
    const socket = io(bench.gateway.url, {
      transports: ['websocket'],
      extraHeaders: { origin: PAGE },
      reconnection: false,
      forceNew: true,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('connect_error', reject);
    });
    expect(socket.connected).toBe(true);
    socket.close();
  });

  it('is not enough for a preflight request of another origin', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answer = await ask('/api/v1/runs', headers, 'OPTIONS');
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers).not.toHaveProperty('access-control-allow-methods');
  });
});

it('OPTIONS without Origin answers Allow', async () => {
  expect(await ask('/api/v1/runs', {}, 'OPTIONS')).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } });
});

describe('the Host header', () => {
  it.each([NAME, `${NAME}:7001`, NAME.toUpperCase(), 'other.example.com:8443', '127.0.0.1', 'localhost'])('%s is served', async host => {
    expect((await ask('/readyz', { host })).status).toBe(200);
  });

  it.each(['evil.example', `${NAME}.evil.example`, 'other.example.com', 'other.example.com:80', '192.0.2.7', 'a b'])(
    '"%s" is refused, with the setting that would allow it',
    async host => {
      const answer = await ask('/readyz', { host });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'forbidden', message: expect.stringContaining('NETA_HOSTS') } });
    },
  );

  it('may be any name for /healthz, and for no path that only begins so', async () => {
    expect(await ask('/healthz', { host: '192.0.2.7:80' })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    for (const path of ['/healthz/../api/v1/info', '/healthz2', '/api/v1/info?/healthz'])
      expect((await ask(path, { host: 'evil.example' })).status).toBe(403);
  });
});

describe('a trusted proxy', () => {
  const forwarded = { 'x-forwarded-host': NAME, 'x-forwarded-proto': 'https' };

  it('says under which address the page was served', async () => {
    expect((await ask('/api/v1/info', { origin: `https://${NAME}`, ...forwarded })).status).toBe(200);
    expect((await ask('/api/v1/info', { origin: `http://${NAME}`, ...forwarded })).status).toBe(403);
    const { text } = await ask('/api/v1/runs/run_none', forwarded);
    expect(JSON.parse(text)).toMatchObject({ type: `https://${NAME}/docs/errors#not_found` });
  });

  it('of this machine sends a Host that the gateway has: a page behind DNS rebinding could forge the rest', async () => {
    expect((await ask('/api/v1/info', { host: NAME, ...forwarded })).status).toBe(200);
    expect((await ask('/api/v1/info', { host: 'evil.example', ...forwarded })).status).toBe(403);
  });

  it('cannot name a host that the gateway does not have', async () => {
    expect((await ask('/api/v1/info', { 'x-forwarded-host': 'evil.example' })).status).toBe(403);
    expect((await ask('/api/v1/info', { 'x-forwarded-host': `${NAME}, evil.example` })).status).toBe(403);
  });
});

describe('a proxy that is not named', () => {
  let direct: AgentBench;

  beforeAll(async () => {
    direct = await startBench({ env: { NETA_TRUST_PROXY: '10.0.0.0/8' } });
  });

  afterAll(() => direct?.stop());

  it('cannot change the address of the gateway', async () => {
    const url = `${direct.gateway.url}/api/v1/info`;
    const { host } = new URL(url);
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' };
    expect((await rawRequest(url, { headers: forged })).status).toBe(200);
    expect((await rawRequest(url, { headers: { ...forged, host: 'evil.example' } })).status).toBe(403);
    expect((await rawRequest(url, { headers: { ...forged, origin: `https://${host}` } })).status).toBe(403);
  });
});

it.each([
  ['NETA_TRUST_PROXY', '10.0.0.0/33'],
  ['NETA_TRUST_PROXY', 'proxy.example'],
  ['NETA_HOSTS', 'https://gateway.example.com'],
])('%s=%s ends the start with a sentence that names both', async (name, value) => {
  const { code, output } = await startAndFail({ [name]: value });
  expect(code).toBe(1);
  expect(output).toContain(`${name}: ${value} is not`);
});

describe('frames of other pages', () => {
  const PAGES = ['/', '/index.html', '/embed.html', '/Embed', '/ops', '/ops/runs', '/docs', '/docs/errors', '/shared', '/demo/widget'];
  const OTHERS = ['/neta-chat.js', '/nonsense', '/api/v1/info', '/healthz', '/favicon.svg'];
  const ancestorsOf = async (path: string) =>
    /frame-ancestors [^;]*/.exec(String((await ask(path)).headers['content-security-policy']))?.[0];

  it('show the embedded chat alone, and only pages of NETA_ORIGINS and of the gateway may show it', async () => {
    for (const path of [...PAGES, ...OTHERS]) expect([path, await ancestorsOf(path)]).toEqual([path, "frame-ancestors 'none'"]);
    for (const path of ['/embed', '/embed?agent=default', '/diagram.html', '/artifact.html'])
      expect([path, await ancestorsOf(path)]).toEqual([path, `frame-ancestors 'self' ${PAGE}`]);
  });

  const ofOtherSite = (mode: string, target: string) => ({
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': mode,
    'sec-fetch-dest': target,
  });

  it('load the chat and its script from another site, and nothing else', async () => {
    expect((await ask('/embed?origin=x', ofOtherSite('navigate', 'iframe'))).status).toBe(200);
    for (const headers of [ofOtherSite('no-cors', 'script'), { ...ofOtherSite('cors', 'script'), origin: 'https://any.example' }]) {
      const script = await ask('/neta-chat.js', headers);
      expect([script.status, script.headers['access-control-allow-origin'], script.headers['cross-origin-resource-policy']]).toEqual([
        200,
        '*',
        'cross-origin',
      ]);
    }
    for (const path of ['/', '/docs', '/api/v1/info'])
      expect([path, (await ask(path, ofOtherSite('navigate', 'iframe'))).status]).toEqual([path, 403]);
    expect((await ask('/embed', ofOtherSite('no-cors', 'image'))).status).toBe(403);
    expect((await ask('/neta-chat.js', { origin: 'https://any.example' }, 'POST')).status).toBe(403);
  });
});
