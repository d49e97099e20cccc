/** Leases over a real database file, with a clock that the test moves. */
import type { Lock } from '../../../src/port/store/lock';
import type { RunState } from '../../../src/port/store/runs';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { LEASE_MS, RunLeases } from '../../../src/service/run/run_leases';
import { createManualClock, type ManualClock } from '../../support/manual_clock';
import { aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});

afterEach(() => temporary.release());

/** Stores a running run, which the process `me` has just claimed. */
async function setUp() {
  const { store } = temporary;
  const clock = createManualClock();
  const run = await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    return tx.runs.insert(aRun({ owner: 'me', leaseUntil: clock.now() + LEASE_MS }));
  });
  const leasesOf = (self: string, leaseStore: Store = store) =>
    new RunLeases({ store: leaseStore, clock, identity: { self, isGone: () => false } });
  const state = async () => (await store.read.runs.getState(TENANT, run.id)) as RunState;
  return { store, clock, run, leasesOf, state };
}

/** Wraps the store so that each transaction takes `milliseconds` of the clock. */
const slow = (store: Store, clock: ManualClock, milliseconds: number): Store =>
  Object.assign(Object.create(store) as Store, {
    transaction: async <T>(lock: Lock, work: (tx: StoreTransaction) => Promise<T>) => {
      const result = await store.transaction(lock, work);
      clock.advance(milliseconds);
      return result;
    },
  });

describe('the leases of a process', () => {
  it('are certain until they expire, and again after a renewal', async () => {
    const { clock, run, leasesOf } = await setUp();
    const leases = leasesOf('me');
    leases.addRun(run);
    clock.advance(LEASE_MS - 1);
    expect(leases.isCertain(run.id)).toBe(true);
    clock.advance(1);
    expect(leases.isCertain(run.id)).toBe(false);
    await leases.renewAll();
    expect(leases.isCertain(run.id)).toBe(true);
    leases.removeRun(run.id);
    expect(leases.isCertain(run.id)).toBe(false);
  });

  it('never seem to last longer than the store says, even when a renewal is slow', async () => {
    const { store, clock, run, leasesOf, state } = await setUp();
    const leases = leasesOf('me', slow(store, clock, 4_000));
    leases.addRun(run);
    await leases.renewAll();
    const { leaseUntil = 0 } = await state();
    clock.advance(leaseUntil - clock.now());
    expect(leases.isCertain(run.id)).toBe(false);
  });

  it('pass to another process with a new epoch, once', async () => {
    const { run, leasesOf, state } = await setUp();
    const before = await state();
    expect(await leasesOf('you').acquire(before)).toMatchObject({ owner: 'you', epoch: run.epoch + 1, recoveries: 1 });
    expect(await leasesOf('they').acquire(before)).toBeUndefined();
    expect((await leasesOf('me').renewAll()).size).toBe(0);
  });

  it('of a run that has ended are not lost; those that another process acquired are', async () => {
    const { store, run, leasesOf, state } = await setUp();
    const leases = leasesOf('me');
    await leasesOf('you').acquire(await state());
    expect(await leases.lostRuns([run])).toEqual([run]);
    await store.transaction('none', tx => tx.runs.update(TENANT, run.id, { from: ['running'] }, { status: 'completed', endedAt: 1 }));
    expect(await leases.lostRuns([run])).toEqual([run]);
    const acquired = { ...run, epoch: run.epoch + 1 };
    expect(await leases.lostRuns([acquired])).toEqual([]);
  });

  it('that were released at shutdown pass on without counting a recovery', async () => {
    const { run, leasesOf, state } = await setUp();
    await leasesOf('me').release([run]);
    expect(await leasesOf('you').acquire(await state())).toMatchObject({ owner: 'you', recoveries: 0 });
  });

  it('of a run that is idle at two renewals expire, so that it is recovered', async () => {
    const { clock, leasesOf, state } = await setUp();
    const leases = leasesOf('me');
    const idle = [...(await leases.renewAll()).values()];
    await leases.expireIdle(idle);
    expect((await state()).leaseUntil).toBe(clock.now() + LEASE_MS);
    await leases.expireIdle(idle);
    expect((await state()).leaseUntil).toBe(clock.now());
  });
});
