/** A page from elsewhere, or a name that was rebound to this machine, gets nothing, on either transport. */
import { io } from 'socket.io-client';
import { type AgentBench, startBench } from '../support/agent_bench';
import { rawRequest } from '../support/raw_request';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
});

afterAll(() => bench?.stop());

const FOREIGN = [
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['an Origin that only looks local', { origin: 'http://localhost.evil.example' }],
  ['the Origin of a sandboxed page', { origin: 'null' }],
  ['a foreign Host', { host: 'evil.example' }],
  ['a Host that only looks local', { host: '127.0.0.1.evil.example' }],
] satisfies [string, Record<string, string>][];

const headersOf = (headers: Record<string, string>): Record<string, string> => ({ ...headers, 'content-type': 'application/json' });

it.each(FOREIGN)('REST refuses %s and starts nothing', async (_what, headers) => {
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

it('a page of this machine is served, whatever its port', async () => {
  const { port } = new URL(bench.gateway.url);
  const local: Record<string, string>[] = [
    { host: `localhost:${port}` },
    { origin: 'http://127.0.0.1:5173' },
    { origin: 'http://[::1]:80' },
    {},
  ];
  for (const headers of local) {
    expect(await rawRequest(`${bench.gateway.url}/api/v1/info`, { headers })).toMatchObject({ status: 200 });
  }
});
