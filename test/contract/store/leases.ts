import { WITH_NODE_LEASE } from '../../../src/port/store/node_leases';
import type { RunRecord } from '../../../src/port/store/runs';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { insertRun, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const MINUTE_MS = 60_000;
const owned = (id: string, fields: Partial<RunRecord> = {}) => ({ id, owner: 'node-1', leaseUntil: WITH_NODE_LEASE, ...fields });
const ENDED = ['completed', 'incomplete', 'failed', 'cancelled'] as const;

/** Renews a lease for `lengthMs` from now; a negative length makes a lease that is over. */
const renew = (tx: StoreTransaction, owner: string, lengthMs = MINUTE_MS) => tx.nodeLeases.renew(owner, { now: Date.now(), lengthMs });

export function describeLeases(store: CurrentStore, another: () => Promise<Store>): void {
  const insertRuns = (runs: Partial<RunRecord>[]) =>
    store().transaction('none', async tx => {
      for (const run of runs) await insertRun(tx, run);
    });
  const orphans = async () => (await store().read.runs.orphaned(Date.now())).map(run => run.id);

  test('renews the lease of a node by the clock of the store, and ends it', async () => {
    await store().transaction('none', async tx => {
      await renew(tx, 'node-1', 5_000);
      await renew(tx, 'node-2', -5_000);
      await renew(tx, 'node-1', MINUTE_MS);
    });
    const leases = await store().read.nodeLeases.list();
    expect(leases.map(({ owner }) => owner)).toEqual(['node-1', 'node-2']);
    expect(leases[0]?.leaseUntil).toBeGreaterThan(Date.now() + MINUTE_MS / 2);
    expect(leases[0]?.leaseUntil).toBeLessThan(Date.now() + 2 * MINUTE_MS);
    await store().transaction('none', tx => tx.nodeLeases.end('node-1'));
    expect(await store().read.nodeLeases.list()).toMatchObject([{ owner: 'node-2' }]);
  });

  test('finds running and waiting runs of all tenants whose owner has no lease, or that have none of their own, oldest first', async () => {
    await insertRuns([
      owned('run_lost', { owner: 'node-2', createdAt: 4_000 }),
      owned('run_lost_waiting', { owner: 'node-2', status: 'waiting', createdAt: 3_000 }),
      owned('run_unknown', { owner: 'node-0', createdAt: 2_500 }),
      owned('run_released', { tenantId: 'globex', leaseUntil: 0, createdAt: 2_000 }),
      owned('run_expired', { leaseUntil: Date.now() - MINUTE_MS, createdAt: 1_500 }),
      { id: 'run_without', createdAt: 1_000 },
      owned('run_held'),
      owned('run_held_alone', { owner: 'node-2', leaseUntil: Date.now() + MINUTE_MS }),
      owned('run_queued', { owner: 'node-2', status: 'queued' }),
      ...ENDED.map(status => owned(`run_${status}`, { owner: 'node-2', status })),
    ]);
    await store().transaction('none', async tx => {
      await renew(tx, 'node-1');
      await renew(tx, 'node-2', -1_000);
      await renew(tx, 'node-3');
    });
    expect(await orphans()).toEqual(['run_without', 'run_expired', 'run_released', 'run_unknown', 'run_lost_waiting', 'run_lost']);
    expect((await store().read.runs.orphaned(Date.now()))[2]).toEqual(await store().read.runs.getState('globex', 'run_released'));
  });

  test("lists an owner's running and waiting runs, of all tenants, except those that it has given up", async () => {
    await insertRuns([
      owned('run_1'),
      owned('run_2', { status: 'waiting', cancelRequested: true, cancelledBy: '@ben' }),
      owned('run_3', { tenantId: 'globex' }),
      owned('run_released', { leaseUntil: 0, cancelRequested: true }),
      owned('run_other', { owner: 'node-2' }),
      owned('run_queued', { status: 'queued' }),
      owned('run_completed', { status: 'completed' }),
      { id: 'run_without' },
    ]);
    const runs = await store().read.runs.ownedBy('node-1');
    expect(runs.sort((a, b) => a.id.localeCompare(b.id))).toEqual([
      { tenantId: TENANT, id: 'run_1', cancelRequested: false },
      { tenantId: TENANT, id: 'run_2', cancelRequested: true, cancelledBy: '@ben' },
      { tenantId: 'globex', id: 'run_3', cancelRequested: false },
    ]);
    expect(await store().read.runs.cancelledOf('node-1')).toEqual([{ tenantId: TENANT, id: 'run_2', cancelledBy: '@ben' }]);
    expect(await store().read.runs.ownedBy('node-9')).toEqual([]);
  });

  test('holds an expired lease, so that the node cannot renew it before the run has another owner', async () => {
    const other = await another();
    await insertRuns([owned('run_1')]);
    const hold = (tx: StoreTransaction, owner: string) => tx.nodeLeases.holdExpired(owner, Date.now());
    expect(await store().transaction('none', tx => hold(tx, 'node-unknown'))).toBe(true);
    await store().transaction('none', tx => renew(tx, 'node-1'));
    expect(await store().transaction('none', tx => hold(tx, 'node-1'))).toBe(false);
    await store().transaction('none', tx => renew(tx, 'node-1', -1));

    const order: string[] = [];
    let renewal: Promise<void> | undefined;
    await store().transaction('none', async tx => {
      expect(await hold(tx, 'node-1')).toBe(true);
      renewal = other.transaction('none', paused => renew(paused, 'node-1')).then(() => void order.push('renewed'));
      for (let i = 0; i < 20; i += 1) await tx.runs.getState(TENANT, 'run_1');
      await tx.runs.update(TENANT, 'run_1', { from: ['running'], epoch: 1 }, { epoch: 2, owner: 'node-2' });
      order.push('acquired');
    });
    await renewal;
    expect(order).toEqual(['acquired', 'renewed']);
    expect(await other.read.runs.ownedBy('node-1')).toEqual([]);
  });

  test('forgets leases that have been over for long', async () => {
    await store().transaction('none', async tx => {
      await renew(tx, 'node-1', -2 * MINUTE_MS);
      await renew(tx, 'node-2', -1);
      await tx.nodeLeases.deleteExpired({ now: Date.now(), agoMs: MINUTE_MS });
    });
    expect(await store().read.nodeLeases.list()).toMatchObject([{ owner: 'node-2' }]);
  });

  test('finds unfinished runs whose callers waited at a node without a lease, of all tenants, oldest first', async () => {
    const waitsAt = (callerAt: string | undefined, callerUntil = WITH_NODE_LEASE) => ({ callerAt, callerUntil });
    await insertRuns([
      owned('run_queued', { status: 'queued', createdAt: 3_000, ...waitsAt('node-2') }),
      owned('run_tenant', { tenantId: 'globex', createdAt: 2_000, ...waitsAt('node-0') }),
      owned('run_over', { createdAt: 1_000, ...waitsAt(undefined, 5_000) }),
      owned('run_from_before', { createdAt: 500, ...waitsAt('node-1', 5_000) }),
      owned('run_in_grace', { createdAt: 4_000, ...waitsAt(undefined, Date.now() + MINUTE_MS) }),
      owned('run_held', waitsAt('node-1')),
      owned('run_held_before', waitsAt('node-0', Date.now() + MINUTE_MS)),
      owned('run_ended', { status: 'cancelled', ...waitsAt('node-2') }),
      owned('run_without'),
    ]);
    await store().transaction('none', async tx => {
      await renew(tx, 'node-1');
      await renew(tx, 'node-2', -1);
    });
    const left = await store().read.runs.leftByCallers(Date.now());
    expect(left.map(run => [run.id, run.isOver])).toEqual([
      ['run_from_before', true],
      ['run_over', true],
      ['run_tenant', false],
      ['run_queued', false],
      ['run_in_grace', false],
    ]);
    expect(left[2]).toEqual({ ...(await store().read.runs.getState('globex', 'run_tenant')), isOver: false });
  });

  test('takes the callers from a run that still names the node at which they waited', async () => {
    await insertRuns([owned('run_1', { status: 'queued', callerAt: 'node-2', callerUntil: WITH_NODE_LEASE })]);
    const callerOf = async () => {
      const { callerAt, callerUntil } = (await store().read.runs.getState(TENANT, 'run_1')) ?? {};
      return { callerAt, callerUntil };
    };
    const lose = (callerAt: string | undefined) =>
      store().transaction('none', tx =>
        tx.runs.loseCallers({ tenantId: TENANT, id: 'run_1', callerAt }, { now: Date.now(), graceMs: MINUTE_MS }),
      );
    await lose('node-1');
    await lose(undefined);
    expect(await callerOf()).toEqual({ callerAt: 'node-2', callerUntil: WITH_NODE_LEASE });
    await lose('node-2');
    const lost = await callerOf();
    expect(lost.callerAt).toBeUndefined();
    expect(lost.callerUntil).toBeGreaterThan(Date.now() + MINUTE_MS / 2);
    expect(lost.callerUntil).toBeLessThan(Date.now() + 2 * MINUTE_MS);
    await store().transaction('none', tx => tx.runs.update(TENANT, 'run_1', { from: ['queued'] }, { status: 'cancelled' }));
    await lose(undefined);
    expect(await callerOf()).toEqual(lost);
  });

  test('does not list a run that was taken over, and counts the takeovers', async () => {
    await seed(store());
    const takeOver = (epoch: number, owner: string) =>
      store().transaction('none', tx =>
        tx.runs.update(
          TENANT,
          'run_1',
          { from: ['running'], epoch },
          { epoch: epoch + 1, owner, leaseUntil: WITH_NODE_LEASE, recoveries: epoch },
        ),
      );
    await store().transaction('none', tx => renew(tx, 'node-2'));
    expect(await takeOver(1, 'node-1')).toBe(true);
    expect(await takeOver(2, 'node-2')).toBe(true);
    expect(await takeOver(1, 'node-3')).toBe(false);
    expect(await store().read.runs.ownedBy('node-1')).toEqual([]);
    expect(await store().read.runs.get(TENANT, 'run_1')).toMatchObject({ epoch: 3, owner: 'node-2', recoveries: 2 });
    expect(await orphans()).toEqual([]);
  });
}
