/** A busy gateway that gets SIGTERM twice: it stops at once, closes connections properly and loses nothing. */
import { findProcesses } from '../fault/processes';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

const MARKER = `4711.${process.pid}`;
/** Without the drain, a stop takes far less than the promised 28 s. */
const HURRIED_MS = 6_000;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
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
}, 30_000);
