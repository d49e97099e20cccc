import { LiveRuns, type LiveRunsDeps } from '../../../../src/feature/ops/runs/live_runs';
import { RUNS_PER_READ } from '../../../../src/port/store/runs';
import { createManualClock } from '../../../support/manual_clock';
import { aRun, aSession, TENANT } from '../../../support/store_records';
import { openTemporaryStore } from '../../../support/temporary_store';

const QUEUED = RUNS_PER_READ + 200;

test('with more unfinished runs than one read has, all are counted and the oldest are listed', async () => {
  const { store, release } = await openTemporaryStore();
  await store.transaction('none', async tx => {
    for (const tenantId of [TENANT, 'globex']) await tx.sessions.insert(aSession({ tenantId }));
    // The oldest run has the highest ordinal, so it is in the last part.
    for (let i = 0; i < QUEUED; i += 1) await tx.runs.insert(aRun({ id: `run_${i}`, status: 'queued', createdAt: 9_000 - i }));
    await tx.runs.insert(aRun({ id: 'run_active', createdAt: 9_500 }));
    await tx.runs.insert(aRun({ id: 'run_other', tenantId: 'globex', status: 'waiting', owner: 'node_1', createdAt: 100 }));
  });
  const live = new LiveRuns({
    store,
    clock: createManualClock(10_000),
    agents: { agentFor: () => ({ profile: {} }) },
    maxToolIterations: 10,
    nodes: { listNodes: async () => [] },
    // Only what reading needs.
  } as unknown as LiveRunsDeps);

  const all = await live.countRuns({} as never, []);
  expect(all.counts).toEqual({ running: 1, waiting: 1, queued: QUEUED, stuck: 0 });
  expect(all.byNode).toEqual(new Map([['node_1', 1]]));
  expect((await live.countRuns({ tenantId: 'globex' } as never, [])).counts).toEqual({ running: 0, waiting: 1, queued: 0, stuck: 0 });
  const { live: rows } = await live.listRuns({} as never, {}, { limit: 10 });
  expect(rows).toHaveLength(500);
  expect(rows.slice(0, 3).map(row => row.runId)).toEqual(['run_other', `run_${QUEUED - 1}`, `run_${QUEUED - 2}`]);
  await release();
});
