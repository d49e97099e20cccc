/** A busy gateway that gets SIGTERM twice: it stops at once, closes connections properly and loses nothing. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { findProcesses } from '../fault/processes';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

const MARKER = `4711.${process.pid}`;
/** Without the drain, a stop takes far less than the promised 28 s. */
const HURRIED_MS = 6_000;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is stopped' });
  bench.model.onTurn(
    'work',
    { toolCalls: [{ name: 'bash', arguments: { command: `echo started; sleep ${MARKER}` } }] },
    request => `Told: ${request.toolResults}`,
  );
});

afterAll(() => bench?.stop());

it('exits with 0 despite a stream, a socket, a waiting caller and a sleeping tool, and the next process continues the run', async () => {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('work one');
  await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
  const stream = bench.rest.stream('GET', `/runs/${runId}/events`);
  const caller = bench.rest.request<ErrorBody>('POST', '/runs', { input: 'work two' });
  await bench.model.waitFor('work two');
  const hungUp = new Promise(resolve => client.socket.once('disconnect', resolve));

  const startedAt = performance.now();
  const exit = bench.gateway.terminate();
  while ((await bench.rest.request('GET', '//readyz')).status === 200);
  const refused = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'work three' });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'draining', retryable: true } } });
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect((await bench.rest.request('GET', '//healthz')).status).toBe(200);
  process.kill(bench.gateway.pid, 'SIGTERM');

  // The body ends properly, so that a reader reconnects with its cursor.
  expect((await stream).at(-1)).toMatchObject({ runId, type: 'tool_call_delta' });
  const answer = await caller;
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'draining', details: { runId: expect.stringMatching(/^run_/) } } } });
  expect(answer.headers.get('x-should-retry')).toBe('false');
  expect(await exit).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(HURRIED_MS);
  // Socket.IO clients reconnect by themselves only after this reason.
  expect(await hungUp).toBe('transport close');
  expect(client.received.filter(message => message.type === 'error')).toMatchObject([{ data: { error: { code: 'draining' } } }]);
  expect(await findProcesses(MARKER)).toEqual([]);

  await bench.gateway.restart();
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringMatching(/^Told: .*unknown/) } });
  expect(events.filter(event => event.type === 'run_end')).toHaveLength(1);
  const history = await bench.rest.history(sessionId);
  expect(history.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

it('leaves the run of an AG-UI client to the next process, also when the end of the stop takes longer than a client may be away', async () => {
  // The gateway waits 2 s for the receiver of traces at its end.
  const silent = createServer(connection => connection.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { model, gateway, stop } = await startBench({ env: { NETA_OTLP_ENDPOINT: endpoint } });
  try {
    model.onTurn('outlive the stop', { text: 'never seen', pauseAfter: 0, times: 1 });
    model.onTurn('outlive the stop', 'Outlived.');
    const body = { threadId: 'stop', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'outlive the stop' }] };
    const headers = { 'content-type': 'application/json' };
    const ask = () => fetch(`${gateway.url}/agui/default`, { method: 'POST', headers, body: JSON.stringify(body) });
    const first = await ask();
    await model.waitFor('outlive the stop');
    const exit = gateway.terminate();
    while ((await fetch(`${gateway.url}/readyz`)).status === 200);
    process.kill(gateway.pid, 'SIGTERM');
    expect(await first.text()).toContain('"code":"draining"');
    expect(await exit).toBe(0);
    await gateway.restart({ NETA_OTLP_ENDPOINT: '' });
    const second = await ask();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await second.text()).toMatch(/"type":"RUN_FINISHED".*"status":"completed".*Outlived\./);
  } finally {
    await stop();
    silent.close();
  }
});
