import type { RunRecord } from '../../../src/port/store/runs';
import { aRun, aSession, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const owned = (id: string, fields: Partial<RunRecord> = {}) => aRun({ id, owner: 'node-1', leaseUntil: 16_000, ...fields });

export function describeLeases(store: CurrentStore): void {
  const insertRuns = (runs: Omit<RunRecord, 'ordinal'>[]) =>
    store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ tenantId: 'globex' }));
      for (const run of runs) await tx.runs.insert(run);
    });
  const leaseOf = async (id: string, tenantId = TENANT) => (await store().read.runs.get(tenantId, id))?.leaseUntil;

  test('finds running and waiting runs of all tenants whose lease is absent, released or expired, oldest first', async () => {
    await insertRuns([
      owned('run_over', { leaseUntil: 5_000, createdAt: 4_000 }),
      owned('run_just_over', { leaseUntil: 9_000, status: 'waiting', createdAt: 3_000 }),
      owned('run_given_back', { tenantId: 'globex', leaseUntil: 0, createdAt: 2_000 }),
      aRun({ id: 'run_without', createdAt: 1_000 }),
      owned('run_held', { leaseUntil: 9_001 }),
      owned('run_queued', { leaseUntil: 0, status: 'queued' }),
      ...(['completed', 'incomplete', 'failed', 'cancelled'] as const).map(status => owned(`run_${status}`, { leaseUntil: 0, status })),
    ]);
    const orphans = await store().read.runs.orphaned(9_000);
    expect(orphans.map(run => run.id)).toEqual(['run_without', 'run_given_back', 'run_just_over', 'run_over']);
    expect(orphans[1]).toEqual(await store().read.runs.getState('globex', 'run_given_back'));
    expect(await store().read.runs.orphaned(0)).toHaveLength(2);
  });

  test("renews the leases of an owner's running and waiting runs, of all tenants, and returns those runs", async () => {
    await insertRuns([
      owned('run_1'),
      owned('run_2', { status: 'waiting', cancelRequested: true }),
      owned('run_3', { tenantId: 'globex' }),
      owned('run_other', { owner: 'node-2' }),
      owned('run_queued', { status: 'queued' }),
      owned('run_completed', { status: 'completed' }),
      aRun({ id: 'run_without' }),
    ]);
    const renewed = await store().transaction('none', tx => tx.runs.renewLeases('node-1', 21_000));
    expect(renewed.sort((a, b) => a.id.localeCompare(b.id))).toEqual([
      { tenantId: TENANT, id: 'run_1', cancelRequested: false },
      { tenantId: TENANT, id: 'run_2', cancelRequested: true },
      { tenantId: 'globex', id: 'run_3', cancelRequested: false },
    ]);
    expect([await leaseOf('run_1'), await leaseOf('run_2'), await leaseOf('run_3', 'globex')]).toEqual([21_000, 21_000, 21_000]);
    for (const id of ['run_other', 'run_queued', 'run_completed']) expect(await leaseOf(id)).toBe(16_000);
    expect(await leaseOf('run_without')).toBeUndefined();
    expect(await store().transaction('none', tx => tx.runs.renewLeases('node-9', 30_000))).toEqual([]);
  });

  test('renews the callers of the unfinished runs of a process, of all tenants, and changes them on their own', async () => {
    const waitsAt = (callerAt: string) => ({ callerAt, callerUntil: 5_000 });
    await insertRuns([
      owned('run_queued', { status: 'queued', ...waitsAt('node-1') }),
      owned('run_other', waitsAt('node-2')),
      owned('run_ended', { status: 'cancelled', ...waitsAt('node-1') }),
      owned('run_without'),
      owned('run_tenant', { tenantId: 'globex', ...waitsAt('node-1') }),
    ]);
    await store().transaction('none', tx => tx.runs.renewCallers('node-1', 21_000));
    const callerOf = async (id: string, tenantId = TENANT) => {
      const { callerAt, callerUntil } = (await store().read.runs.getState(tenantId, id)) ?? {};
      return [callerAt, callerUntil];
    };
    expect(await callerOf('run_queued')).toEqual(['node-1', 21_000]);
    expect(await callerOf('run_tenant', 'globex')).toEqual(['node-1', 21_000]);
    expect(await callerOf('run_other')).toEqual(['node-2', 5_000]);
    expect(await callerOf('run_ended')).toEqual(['node-1', 5_000]);
    expect(await callerOf('run_without')).toEqual([undefined, undefined]);
    const lost = { callerAt: null, callerUntil: 9_000 };
    expect(await store().transaction('none', tx => tx.runs.update(TENANT, 'run_queued', { from: ['queued'] }, lost))).toBe(true);
    expect(await callerOf('run_queued')).toEqual([undefined, 9_000]);
    expect(await leaseOf('run_queued')).toBe(16_000);
  });

  test('does not renew a lease that its owner released', async () => {
    await insertRuns([owned('run_1', { leaseUntil: 0 })]);
    expect(await store().transaction('none', tx => tx.runs.renewLeases('node-1', 21_000))).toEqual([]);
    expect((await store().read.runs.orphaned(1)).map(run => run.id)).toEqual(['run_1']);
  });

  test('does not renew the lease of a run that was taken over, and counts the takeovers', async () => {
    await seed(store());
    const takeOver = (epoch: number, owner: string) =>
      store().transaction('none', tx =>
        tx.runs.update(TENANT, 'run_1', { from: ['running'], epoch }, { epoch: epoch + 1, owner, leaseUntil: 15_000, recoveries: epoch }),
      );
    expect(await takeOver(1, 'node-1')).toBe(true);
    expect(await takeOver(2, 'node-2')).toBe(true);
    expect(await takeOver(1, 'node-3')).toBe(false);
    expect(await store().transaction('none', tx => tx.runs.renewLeases('node-1', 99_000))).toEqual([]);
    expect(await store().read.runs.get(TENANT, 'run_1')).toMatchObject({ epoch: 3, owner: 'node-2', leaseUntil: 15_000, recoveries: 2 });
    expect(await store().read.runs.orphaned(14_999)).toEqual([]);
  });
}
