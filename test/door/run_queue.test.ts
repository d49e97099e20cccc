/** The counters of executing and queued runs stay correct when a start fails and when late messages are queued. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MAX_CONCURRENT_RUNS: '1', NETA_MAX_QUEUED_RUNS: '1' }, failpoints: true });
});

afterAll(() => bench?.stop());

it('counts a late steering message as a queued run at once', async () => {
  bench.model.onTurn('slow three', 'done');
  bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  const client = await bench.connect();
  const { runId } = await client.chat('slow one');
  await bench.model.waitFor('slow one');
  for (const text of ['slow two', 'slow three']) expect(await client.send({ type: 'steer', runId, text })).toMatchObject({ ok: true });
  await client.send({ type: 'cancel', runId });
  await bench.model.waitFor('slow two');
  expect((await client.send({ type: 'chat', text: 'slow four' })).error).toMatchObject({ code: 'rate_limited' });
  bench.model.resume();
  await bench.model.waitFor('slow three');
  await until(async () => (await bench.rest.request<PageBody<unknown>>('GET', '/runs?status=running')).body.data.length === 0);
});

it('frees the slot of a run that was stored but failed to start', async () => {
  bench.model.onTurn('quick', 'quick answer');
  await bench.gateway.arm('run_claimed=fail');
  const client = await bench.connect();
  expect((await client.send({ type: 'chat', text: 'quick one' })).error).toMatchObject({ code: 'store_unavailable' });
  const { runId } = await client.chat('quick two');
  expect((await client.endOf(runId)).data.text).toBe('quick answer');
});
