/** The web tools through the built gateway, over each door, with a site that NETA_FETCH_ALLOW allows. */
import type { ServerResponse } from 'node:http';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import type { ModelRequest } from '../support/mock_model';
import { type Site, startSite } from '../support/site';
import { until } from '../support/until';

let bench: AgentBench;
let site: Site;
let config: AgentConfig;
/** The answers to requests for an image that wait for the test. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  site = await startSite({
    '/search': response =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"results":[{"title":"Log","url":"https://log.example/","content":"A log"}]}'),
    '/large.png': response => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5 * 1024 * 1024 + 1)),
    '/held.png': response => held.push(response.writeHead(200, { 'content-type': 'image/png' })),
    '/to-image': response => response.writeHead(302, { location: '/image', 'set-cookie': 'track=me' }).end(),
  });
  config = await createAgentConfig(['web']);
  const env = { NETA_CONFIG_DIR: config.directory, NETA_FETCH_ALLOW: site.host, NETA_SEARXNG_URL: site.url('/') };
  bench = await startBench({ env });
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
  await config?.remove();
});

it('a run over REST searches, opens a page and opens several pages, and the model gets each result (nanoclaw.crawler, nanoclaw.services)', async () => {
  const text = 'read the log';
  const toolCalls = [
    { name: 'web_search', arguments: { query: 'log' } },
    { name: 'fetch_page', arguments: { url: site.url('/article') } },
    { name: 'crawl_batch', arguments: { urls: [site.url('/pdf'), site.url('/missing')] } },
  ];
  bench.model.onTurn(text, { toolCalls }, 'done');
  const { body } = await bench.rest.run({ input: text });
  expect(body).toMatchObject({ status: 'completed', toolCalls: [{ ok: true }, { ok: true }, { ok: true }] });
  const { toolResults } = bench.model.requests(text).at(-1) as ModelRequest;
  expect(toolResults[0]).toContain('https://log.example/');
  expect(toolResults[1]).toContain('Lighthouse log');
  expect(toolResults[2]).toContain('tariff 1887');
});

it('a run over Socket.IO opens a page', async () => {
  const text = 'read it in the chat';
  bench.model.onTurn(text, { toolCalls: [{ name: 'fetch_page', arguments: { url: site.url('/hop/5') } }] }, 'done');
  const client = await bench.connect();
  const { runId } = await client.chat(text);
  await client.endOf(runId);
  const end = client.eventsOf(runId).find(event => event.type === 'tool_call_end');
  expect(end?.data).toMatchObject({ ok: true, details: { url: site.url('/article') } });
});

it.each([
  ['http://169.254.169.254/latest/meta-data/', /not public/],
  ['http://localhost:8080/', /not public/],
  ['http://0x7f000001:8080/', /not public/],
  ['http://[::ffff:127.0.0.1]:8080/', /not public/],
  ['file:///etc/passwd', /Only http and https/],
])('a direct call does not reach %s', async (url, told) => {
  const { status, body } = await bench.rest.request<{ status: string; error: string }>('POST', '/tools/call', {
    toolName: 'fetch_page',
    parameters: { url },
  });
  expect([status, body.status]).toEqual([200, 'error']);
  expect(body.error).toMatch(told);
});

it('a tool cannot reach the doors of the gateway itself', async () => {
  const parameters = { url: `${bench.gateway.url}/healthz` };
  const { body } = await bench.rest.request<{ status: string }>('POST', '/tools/call', { toolName: 'fetch_page', parameters });
  expect(body.status).toBe('error');
});

it('an image of another server comes through the gateway, without cookies, once in five minutes', async () => {
  const imageAt = (path: string, headers = {}) =>
    bench.rest.request('GET', `/image-proxy?url=${encodeURIComponent(site.url(path))}`, undefined, headers);
  const image = await imageAt('/to-image', { cookie: 'login=secret', referer: 'https://chat.example/' });
  expect(image.status).toBe(200);
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=300',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  });
  expect(image.headers.has('set-cookie')).toBe(false);
  expect((await imageAt('/to-image')).status).toBe(200);
  const requests = site.requests.filter(({ path }) => path === '/to-image' || path === '/image');
  expect(requests.map(({ path }) => path)).toEqual(['/to-image', '/image']);
  expect(requests.flatMap(({ headers }) => [headers.cookie, headers.referer])).toEqual(Array(4).fill(undefined));
  for (const [path, status] of [
    ['/article', 400],
    ['/missing', 400],
    ['/to-private', 400],
    ['/to-metadata', 400],
    ['/large.png', 413],
  ] as const)
    expect([path, (await imageAt(path)).status]).toEqual([path, status]);
  expect((await bench.rest.request('GET', '/image-proxy?url=file:///etc/passwd')).status).toBe(400);
  expect((await bench.rest.request('GET', '/image-proxy')).status).toBe(400);
});

it('requests for the same image share one load, which outlives the reader that asked first, and a tenant loads eight images at once', async () => {
  const pathTo = (image: number) => `/image-proxy?url=${encodeURIComponent(site.url(`/held.png?${image}`))}`;
  const statusOf = async (image: number) => (await bench.rest.request('GET', pathTo(image))).status;
  const first = new AbortController();
  const left = fetch(`${bench.gateway.url}/api/v1${pathTo(0)}`, { signal: first.signal }).catch(() => 'left');
  await until(() => held.length === 1);
  const statuses = [0, 1, 2, 3, 4, 5, 6, 7].map(statusOf);
  await until(() => held.length === 8);
  expect(await statusOf(8)).toBe(429);
  first.abort();
  expect(await left).toBe('left');
  for (const response of held) response.end('pixels');
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200, 200, 200, 200]);
  expect(site.requests.filter(({ path }) => path.startsWith('/held.png'))).toHaveLength(8);
});
