/** The lease of a process over a real database file, with a clock that the test moves. */
import type { Lock } from '../../../src/port/store/lock';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { LEASE_MS, NodeLease } from '../../../src/service/run/node_lease';
import { createManualClock, type ManualClock } from '../../support/manual_clock';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});

afterEach(() => temporary.release());

function setUp({ isShared = false, isGone = (_owner: string): boolean => false } = {}) {
  const { store } = temporary;
  const clock = createManualClock();
  const leaseOf = (self: string, leaseStore: Store = store) =>
    new NodeLease({ store: leaseStore, clock, identity: { self, isGone }, isShared });
  return { store, clock, leaseOf };
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

describe('the lease of a process', () => {
  it('is certain until it expires, and again after a renewal', async () => {
    const { clock, leaseOf } = setUp();
    const lease = leaseOf('me');
    expect(lease.isCertain).toBe(false);
    await lease.start();
    clock.advance(LEASE_MS - 1);
    expect(lease.isCertain).toBe(true);
    clock.advance(1);
    expect(lease.isCertain).toBe(false);
    await lease.renew();
    expect(lease.isCertain).toBe(true);
  });

  it('never seems to last longer than the store says, even when a renewal is slow', async () => {
    const { store, clock, leaseOf } = setUp();
    const lease = leaseOf('me', slow(store, clock, 4_000));
    await lease.renew();
    const [{ leaseUntil } = { leaseUntil: 0 }] = await store.read.nodeLeases.list();
    clock.advance(leaseUntil - clock.now());
    expect(lease.isCertain).toBe(false);
  });

  it('is not certain when the wall clock was set ahead, or when it stood still while time passed', async () => {
    const { store, clock } = setUp();
    let set = 0;
    let slept = 0;
    const odd = { ...clock, now: () => clock.now() + set, monotonic: () => clock.monotonic() + slept };
    const lease = new NodeLease({ store, clock: odd, identity: { self: 'me', isGone: () => false }, isShared: false });
    await lease.renew();
    set = LEASE_MS;
    expect(lease.isCertain).toBe(false);
    await lease.renew();
    slept = LEASE_MS;
    expect(lease.isCertain).toBe(false);
    set = -LEASE_MS;
    expect(lease.isCertain).toBe(false);
  });

  it('is certain after a late renewal only when the runs were checked, and a renewal in time checks nothing', async () => {
    const { clock, leaseOf } = setUp();
    const lease = leaseOf('me');
    const seen: boolean[] = [];
    lease.onGap(async () => void seen.push(lease.isCertain));
    await lease.renew();
    clock.advance(5_000);
    await lease.renew();
    expect(seen).toEqual([false]);
    clock.advance(LEASE_MS);
    await Promise.all([lease.renew(), lease.renew()]);
    expect(seen).toEqual([false, false]);
    expect(lease.isCertain).toBe(true);
  });

  it('of a dead process of this machine ends when another process starts; those of others stay', async () => {
    const { store, leaseOf } = setUp({ isGone: owner => owner === 'dead' });
    await leaseOf('dead').start();
    await leaseOf('elsewhere').start();
    await leaseOf('me').start();
    expect((await store.read.nodeLeases.list()).map(({ owner }) => owner)).toEqual(['elsewhere', 'me']);
    await leaseOf('me').end();
    expect((await store.read.nodeLeases.list()).map(({ owner }) => owner)).toEqual(['elsewhere']);
  });

  it('is forgotten a day after its end', async () => {
    const { store, clock, leaseOf } = setUp();
    await leaseOf('long ago').start();
    clock.advance(25 * 3_600_000);
    await leaseOf('me').start();
    expect((await store.read.nodeLeases.list()).map(({ owner }) => owner)).toEqual(['me']);
  });

  it('is needed while something here needs it, and always when other gateways can be on the store', () => {
    let isBusy = false;
    const lease = setUp().leaseOf('me');
    lease.keepWhile(() => false);
    lease.keepWhile(() => isBusy);
    expect(lease.isNeeded).toBe(false);
    isBusy = true;
    expect(lease.isNeeded).toBe(true);
    expect(setUp({ isShared: true }).leaseOf('me').isNeeded).toBe(true);
  });
});
