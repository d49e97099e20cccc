/** One SIGTERM: active runs get their 20 seconds, the rest is released to the next process, and the process exits in time. */

import { type AgentBench, startBench } from '../support/agent_bench';
import { findProcesses } from './processes';

const DRAIN_MS = 20_000;
const EXIT_LIMIT_MS = 28_000;
const MARKER = `4799.${process.pid}`;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is stopped' });
  const bash = { name: 'bash', arguments: { command: `echo started; sleep ${MARKER}` } };
  bench.model.onTurn('work', { toolCalls: [bash] }, request => `Told: ${request.toolResults}`);
});

afterAll(() => bench?.stop());

it('exits with 0 within 28 s despite an open stream, a socket and a sleeping tool, and the next process continues the run', async () => {
  const client = await bench.connect();
  const { runId } = await client.chat('work');
  await client.waitFor('tool_call_delta', event => event.data.output.includes('started'));
  const stream = bench.rest.stream('GET', `/runs/${runId}/events`);
  const startedAt = performance.now();
  expect(await bench.gateway.terminate()).toBe(0);
  const took = performance.now() - startedAt;
  expect(took).toBeGreaterThanOrEqual(DRAIN_MS);
  expect(took).toBeLessThan(EXIT_LIMIT_MS);
  expect((await stream).at(-1)).toMatchObject({ type: 'tool_call_delta' });
  expect(await findProcesses(MARKER)).toEqual([]);
  await bench.gateway.restart();
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringMatching(/^Told: .*unknown/) } });
}, 60_000);
