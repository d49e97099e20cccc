import { createIdSource } from '../../../../src/adapter/local/node/ids';
import { AppError } from '../../../../src/errors';
import { LiveRuns, type LiveRunsDeps } from '../../../../src/feature/ops/runs/live_runs';
import { HistoryReader } from '../../../../src/feature/ops/views/history';
import type { Principal } from '../../../../src/port/principal';
import { RUNS_PER_READ } from '../../../../src/port/store/runs';
import { AuditLog, byGateway } from '../../../../src/service/audit/audit_log';
import { createManualClock } from '../../../support/manual_clock';
import { NO_REDACTOR } from '../../../support/no_observer';
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

test('a list with texts of other tenants names the reader in their audit logs, and hides these texts while no row can be stored', async () => {
  const { store, release } = await openTemporaryStore();
  await store.transaction('none', async tx => {
    for (const tenantId of ['acme', 'globex', 'initech']) await tx.sessions.insert(aSession({ tenantId }));
    await tx.runs.insert(aRun({ id: 'run_own', createdAt: 1 }));
    await tx.runs.insert(aRun({ id: 'run_live', tenantId: 'globex', createdAt: 2 }));
    await tx.runs.insert(aRun({ id: 'run_ended', tenantId: 'initech', status: 'completed', createdAt: 3, endedAt: 4 }));
  });
  const recorded: unknown[] = [];
  const state = { refusal: undefined as Error | undefined };
  const textReads: LiveRunsDeps['textReads'] = {
    async recordList({ keyName }, list, tenants) {
      if (state.refusal) throw state.refusal;
      recorded.push([keyName, list, ...tenants]);
    },
  };
  const live = new LiveRuns({
    store,
    clock: createManualClock(10_000),
    agents: { agentFor: () => ({ profile: {} }) },
    maxToolIterations: 10,
    nodes: { listNodes: async () => [] },
    textReads,
    privateTexts: { hideTexts: async (_reader: Principal, rows: readonly unknown[]) => rows },
    // Only what reading needs.
  } as unknown as LiveRunsDeps);
  const textReader: Principal = { tenantId: 'acme', keyName: 'boss', scopes: new Set() };
  const wordsOf = async (view: object) => {
    const { live: rows, data } = await live.listRuns(view, {}, { limit: 10 });
    return Object.fromEntries([...rows, ...data].map(({ runId, firstWords }) => [runId, firstWords !== undefined]));
  };

  expect(await wordsOf({})).toEqual({ run_own: false, run_live: false, run_ended: false });
  expect(recorded).toEqual([]);
  expect(await wordsOf({ textReader })).toEqual({ run_own: true, run_live: true, run_ended: true });
  expect(recorded).toEqual([['boss', 'runs', 'acme', 'globex', 'initech']]);
  // The largest alone is shown, so the tenant of the other ended runs has no row.
  const largest = await live.listLargest({ textReader }, { status: 'completed' }, 'tokens', 0);
  expect([largest.data, recorded.at(-1)]).toEqual([[], ['boss', 'runs']]);
  state.refusal = new AppError('store_unavailable');
  expect(await wordsOf({ textReader })).toEqual({ run_own: true, run_live: false, run_ended: false });
  state.refusal = new Error('a mistake');
  await expect(wordsOf({ textReader })).rejects.toThrow('a mistake');
  await release();
});

test('the charts have a run that was accepted before their span, and a change before 100 other acts, from the lists of the store', async () => {
  const { store, release } = await openTemporaryStore();
  const minute = 60_000;
  const clock = createManualClock(600 * minute);
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    await tx.runs.insert(aRun({ status: 'completed', createdAt: 530 * minute, endedAt: 595 * minute }));
  });
  const auditLog = new AuditLog({
    store,
    clock,
    ids: createIdSource(clock),
    failpoints: { reach: () => undefined },
    redactor: NO_REDACTOR,
    onError: () => {},
  });
  await auditLog.record({ ...byGateway('gateway:config'), action: 'config.reload', target: 'limits.yaml' });
  clock.advance(1);
  for (let i = 0; i < 101; i++) await auditLog.record({ ...byGateway('address:192.0.2.1'), action: 'login.fail', target: 'a' });
  const reader = new HistoryReader({ store: { lists: store.lists }, clock, auditLog, nodes: { listNodes: async () => [] } });
  const { parts, marks } = await reader.read({}, 1);
  expect(parts.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
  expect(marks).toMatchObject([{ target: 'limits.yaml' }]);
  await release();
});
