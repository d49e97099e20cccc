/** Cross-origin pages and rebound host names are refused, over REST and on both Socket.IO transports. */
import { io } from 'socket.io-client';
import { type AgentBench, startBench } from '../support/agent_bench';
import { rawRequest } from '../support/raw_request';

const ALLOWED = 'https://chat.example.com';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_ORIGINS: `${ALLOWED}, https://other.example.com:8443` } });
});

afterAll(() => bench?.stop());

const FOREIGN = [
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['an Origin that only looks local', { origin: 'http://localhost.evil.example' }],
  ['the Origin of another port of this machine', { origin: 'http://127.0.0.1:5173' }],
  ['an Origin without a port', { origin: 'http://localhost' }],
  ['the Origin null of a sandboxed page', { origin: 'null' }],
  ['a foreign Host', { host: 'evil.example' }],
  ['a Host that only looks local', { host: '127.0.0.1.evil.example' }],
] satisfies [string, Record<string, string>][];

const headersOf = (headers: Record<string, string>): Record<string, string> => ({ ...headers, 'content-type': 'application/json' });

it.each(FOREIGN)('REST refuses %s and starts no run', async (_what, headers) => {
  const answer = await rawRequest(`${bench.gateway.url}/api/v1/runs`, {
    method: 'POST',
    headers: headersOf(headers),
    body: '{"input":"hello"}',
  });
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'forbidden', requestId: answer.headers['x-request-id'] } });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect((await bench.rest.request<{ data: unknown[] }>('GET', '/runs')).body.data).toEqual([]);
});

it.each(FOREIGN)('AG-UI and MCP refuse %s', async (_what, headers) => {
  for (const path of ['agui/default', 'mcp']) {
    const answer = await rawRequest(`${bench.gateway.url}/${path}`, { method: 'POST', headers: headersOf(headers), body: '{}' });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.text).toContain('"code":"forbidden"');
  }
});

it.each(FOREIGN)('Socket.IO refuses %s, on websocket and on polling', async (_what, extraHeaders) => {
  const socket = io(bench.gateway.url, { transports: ['websocket'], extraHeaders, reconnection: false, forceNew: true });
  const outcome = await new Promise(resolve => {
    socket.once('connect', () => resolve('connected'));
    socket.once('connect_error', () => resolve('refused'));
  });
  socket.close();
  expect(outcome).toBe('refused');
  const polling = await rawRequest(`${bench.gateway.url}/socket.io/?EIO=4&transport=polling`, { headers: extraHeaders });
  expect(polling.status).toBe(403);
});

it.each(FOREIGN)('Socket.IO refuses %s on an open polling connection', async (_what, headers) => {
  const polling = `${bench.gateway.url}/socket.io/?EIO=4&transport=polling`;
  const opened = await rawRequest(polling);
  const { sid } = JSON.parse(opened.text.slice(1));
  const packet = await rawRequest(`${polling}&sid=${sid}`, { method: 'POST', headers, body: '40' });
  expect([packet.status, JSON.parse(packet.text).error.code]).toEqual([403, 'forbidden']);
  expect((await rawRequest(`${polling}&sid=${sid}`, { headers })).status).toBe(403);
  // The connection still works.
  expect((await rawRequest(`${polling}&sid=${sid}`, { method: 'POST', body: '40' })).status).toBe(200);
});

it('a page of the gateway is served under every loopback name', async () => {
  const { port } = new URL(bench.gateway.url);
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    const headers = { origin: `http://${name}:${port}`, host: `localhost:${port}` };
    expect(await rawRequest(`${bench.gateway.url}/api/v1/info`, { headers })).toMatchObject({ status: 200 });
    const polling = await rawRequest(`${bench.gateway.url}/socket.io/?EIO=4&transport=polling`, { headers });
    expect(polling.status).toBe(200);
  }
});

it('the page of the development server is served, which forwards its own Host', async () => {
  const headers = { origin: 'http://localhost:7002', host: 'localhost:7002', 'sec-fetch-site': 'same-origin' };
  expect((await rawRequest(`${bench.gateway.url}/api/v1/info`, { headers })).status).toBe(200);
});

it('programs that send no Origin are served', async () => {
  expect((await rawRequest(`${bench.gateway.url}/api/v1/info`)).status).toBe(200);
});

it('a page of an origin in NETA_ORIGINS can call the gateway and read its responses', async () => {
  const headers = { origin: ALLOWED };
  const asked = await rawRequest(`${bench.gateway.url}/api/v1/runs`, {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });
  expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': ALLOWED } });
  expect(asked.headers['access-control-allow-headers']?.toLowerCase()).toContain('content-type');
  const info = await rawRequest(`${bench.gateway.url}/api/v1/info`, { headers });
  expect(info).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': ALLOWED, vary: expect.stringMatching(/origin/i) } });
  const polling = await rawRequest(`${bench.gateway.url}/socket.io/?EIO=4&transport=polling`, { headers });
  expect(polling).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': ALLOWED } });
});

it.each([
  ['loaded as an image', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 403],
  ['put into a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
  ['opened by following a link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
  ['opened by the person', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
])('a GET without Origin that was %s is decided by Sec-Fetch-Site', async (_what, headers, status) => {
  expect((await rawRequest(`${bench.gateway.url}/`, { headers })).status).toBe(status);
});
