/** The counters of executing and queued runs stay true when a run starts or ends in an unusual way. */
import { type AgentBench, startBench } from '../support/agent_bench';

let bench: AgentBench;

afterEach(() => bench.stop());

it('counts a steering message that came too late as a queued run at once', async () => {
  bench = await startBench({ env: { NETA_MAX_CONCURRENT_RUNS: '1', NETA_MAX_QUEUED_RUNS: '1' } });
  bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  const client = await bench.connect();
  const { runId } = await client.chat('slow one');
  await bench.model.waitFor('slow one');
  for (const text of ['slow two', 'slow three']) expect(await client.send({ type: 'steer', runId, text })).toMatchObject({ ok: true });
  await client.send({ type: 'cancel', runId });
  await bench.model.waitFor('slow two');
  expect((await client.send({ type: 'chat', text: 'slow four' })).error).toMatchObject({ code: 'rate_limited' });
});
