/** The estimate of a run from earlier ones, over the real store. */
import type { RunRecord } from '../../../src/port/store/runs';
import type { Store } from '../../../src/port/store/store';
import { estimateRun } from '../../../src/service/limits/run_estimate';
import { aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

let store: Store;
let release: () => Promise<void>;

beforeAll(async () => {
  ({ store, release } = await openTemporaryStore());
});
afterAll(() => release());

const estimateOf = (agent: string, tenantId = TENANT) => estimateRun(store.read, tenantId, run => run.agent === agent);

/** Stores runs that cost as many cents as their number and took as many seconds. */
async function addRuns(agent: string, count: number, price: (cents: number) => number | undefined): Promise<void> {
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ id: `ses_${agent}` }));
    for (let i = 1; i <= count; i += 1) {
      const usage = { inputTokens: 1, outputTokens: 1, costUsd: price(i) };
      const ended: Partial<RunRecord> = { status: 'completed', startedAt: 1_000, endedAt: 1_000 + i * 1_000, outcome: { text: '', usage } };
      const run = aRun({ id: `run_${agent}_${i}`, sessionId: `ses_${agent}`, agent, ...ended });
      await tx.runs.insert({ ...run, ordinal: i });
    }
  });
}

it('gives the median and the ninetieth percentile of cost and time', async () => {
  await addRuns('coder', 10, cents => cents / 100);
  expect(await estimateOf('coder')).toEqual({
    costUsd: { p50: 0.05, p90: 0.09 },
    ms: { p50: 5_000, p90: 9_000 },
    tokens: { p50: 2, p90: 2 },
    basedOn: 10,
  });
});

it('knows nothing from four runs, from those of another agent, and for another tenant', async () => {
  await addRuns('writer', 4, () => 1);
  expect([await estimateOf('writer'), await estimateOf('none'), await estimateOf('coder', 'other')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('leaves the cost out when a price was unknown', async () => {
  await addRuns('reader', 6, cents => (cents === 3 ? undefined : 1));
  expect(await estimateOf('reader')).toMatchObject({ costUsd: undefined, ms: { p50: 3_000, p90: 6_000 }, basedOn: 6 });
});
