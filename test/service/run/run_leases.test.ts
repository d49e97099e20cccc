/** The owners of runs over a real database file, with a clock that the test moves. */
import { WITH_NODE_LEASE } from '../../../src/port/store/node_leases';
import type { RunState } from '../../../src/port/store/runs';
import { LEASE_MS, NodeLease } from '../../../src/service/run/node_lease';
import { RunLeases } from '../../../src/service/run/run_leases';
import { createManualClock } from '../../support/manual_clock';
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
    return tx.runs.insert(aRun({ owner: 'me', leaseUntil: WITH_NODE_LEASE }));
  });
  const depsOf = (self: string) => ({ store, clock, identity: { self, isGone: () => false } });
  const leasesOf = (self: string) => new RunLeases(depsOf(self));
  const nodeLease = new NodeLease({ ...depsOf('me'), isShared: true });
  await nodeLease.start();
  const state = async () => (await store.read.runs.getState(TENANT, run.id)) as RunState;
  const orphans = async () => (await store.read.runs.orphaned(clock.now())).map(({ id }) => id);
  return { store, clock, run, leasesOf, nodeLease, state, orphans };
}

describe('the runs of a process', () => {
  it('pass to another process with a new epoch, once, when the lease of the process is over', async () => {
    const { clock, run, leasesOf, state, orphans } = await setUp();
    const before = await state();
    expect(await orphans()).toEqual([]);
    clock.advance(LEASE_MS);
    expect(await orphans()).toEqual([run.id]);
    expect(await leasesOf('you').acquire(before)).toMatchObject({ owner: 'you', epoch: run.epoch + 1, recoveries: 1 });
    expect(await leasesOf('they').acquire(before)).toBeUndefined();
    expect((await leasesOf('me').readOwned()).size).toBe(0);
  });

  it('stay with a process that renews its lease after another process has seen them as orphans', async () => {
    const { clock, run, leasesOf, nodeLease, state } = await setUp();
    const before = await state();
    clock.advance(LEASE_MS);
    await nodeLease.renew();
    expect(await leasesOf('you').acquire(before)).toBeUndefined();
    expect([...(await leasesOf('me').readOwned()).keys()]).toEqual([run.id]);
  });

  it('are not lost when they have ended; they are when another process acquired them', async () => {
    const { store, clock, run, leasesOf, state } = await setUp();
    const leases = leasesOf('me');
    clock.advance(LEASE_MS);
    await leasesOf('you').acquire(await state());
    expect(await leases.lostRuns([run])).toEqual([run]);
    await store.transaction('none', tx => tx.runs.update(TENANT, run.id, { from: ['running'] }, { status: 'completed', endedAt: 1 }));
    expect(await leases.lostRuns([run])).toEqual([run]);
    const acquired = { ...run, epoch: run.epoch + 1 };
    expect(await leases.lostRuns([acquired])).toEqual([]);
  });

  it('that were released at shutdown pass on at once, without counting a recovery', async () => {
    const { run, leasesOf, state, orphans } = await setUp();
    await leasesOf('me').release([run]);
    expect(await orphans()).toEqual([run.id]);
    expect(await leasesOf('you').acquire(await state())).toMatchObject({ owner: 'you', recoveries: 0, leaseUntil: WITH_NODE_LEASE });
  });

  it('that are idle at two heartbeats are given up, so that they are recovered', async () => {
    const { run, leasesOf, state, orphans } = await setUp();
    const leases = leasesOf('me');
    const idle = [...(await leases.readOwned()).values()];
    await leases.expireIdle(idle);
    expect(await orphans()).toEqual([]);
    await leases.expireIdle(idle);
    expect(await orphans()).toEqual([run.id]);
    expect(await leasesOf('you').acquire(await state())).toMatchObject({ owner: 'you', recoveries: 1 });
  });

  it('of an earlier version pass on when the time in their own row is over', async () => {
    const { store, clock, run, leasesOf, state, orphans } = await setUp();
    await store.transaction('none', tx => tx.runs.update(TENANT, run.id, { from: ['running'] }, { leaseUntil: clock.now() + 5_000 }));
    clock.advance(4_999);
    expect(await orphans()).toEqual([]);
    clock.advance(1);
    expect(await orphans()).toEqual([run.id]);
    expect(await leasesOf('you').acquire(await state())).toMatchObject({ owner: 'you', recoveries: 1 });
  });
});
