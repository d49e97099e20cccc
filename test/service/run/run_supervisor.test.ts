/** The supervisor of a process over a real database file, with a clock that the test moves and a run that does not end. */
import { WITH_NODE_LEASE } from '../../../src/port/store/node_leases';
import type { RunRecord } from '../../../src/port/store/runs';
import type { StoreTransaction } from '../../../src/port/store/store';
import { ActiveReplays } from '../../../src/service/limits/active_replays';
import { NodeLease } from '../../../src/service/run/node_lease';
import type { RunHandle } from '../../../src/service/run/run_handle';
import { RunSupervisor, type RunSupervisorDeps } from '../../../src/service/run/run_supervisor';
import { createManualClock } from '../../support/manual_clock';
import { aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const DRAIN_MS = 20_000;

/** Starts a supervisor that executes one run. */
async function startSupervisor(more: object = {}) {
  const { store, release } = await openTemporaryStore();
  const clock = createManualClock();
  const run = await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    return tx.runs.insert(aRun({ owner: 'me', leaseUntil: WITH_NODE_LEASE }));
  });
  const executeRun = jest.fn((_run: RunRecord, _agent: object, _handle: RunHandle) => new Promise<boolean>(() => {}));
  const identity = { self: 'me', isGone: () => false };
  const deps = {
    store,
    clock,
    bus: { publish() {}, withdraw() {} },
    identity,
    nodeLease: new NodeLease({ store, clock, identity, isShared: false }),
    agents: { agentFor: () => ({}) },
    execution: { executeRun },
    capacity: { setQueued() {}, mostQueued: 10, takeSlot: () => false, isInUse: true },
    activeReplays: new ActiveReplays(),
    onError: (message: string, thrown: unknown) => {
      throw new Error(message, { cause: thrown });
    },
    ...more,
  } as unknown as RunSupervisorDeps;
  const supervisor = new RunSupervisor(deps);
  await supervisor.start();
  supervisor.launch({ run, event: undefined as never });
  const [[, , handle] = []] = executeRun.mock.calls;
  if (!handle) throw new Error('The supervisor executed no run.');
  return { store, clock, run, handle, supervisor, release };
}

it('counts a run as stuck that has shown no event for long enough, unless it waits for a person', async () => {
  const { clock, handle, supervisor, release } = await startSupervisor();
  const countAfter = (milliseconds: number) => {
    clock.advance(milliseconds);
    return supervisor.countStuckRuns(1_000);
  };
  expect(countAfter(900)).toBe(0);
  expect(countAfter(200)).toBe(1);
  handle.lastEventAt = clock.now();
  expect(countAfter(900)).toBe(0);
  expect(countAfter(200)).toBe(1);
  void handle.whileWaiting(() => new Promise(() => {}));
  expect(countAfter(200)).toBe(0);
  await release();
});

it('keeps its lease while it drains, longer than the lease lasts, and at the end releases its runs and the lease', async () => {
  const { store, clock, run, supervisor, release } = await startSupervisor();
  const leaseUntil = async () => (await store.read.nodeLeases.list())[0]?.leaseUntil ?? 0;

  let hasStopped = false;
  const stopped = supervisor.stop(DRAIN_MS).then(() => {
    hasStopped = true;
  });
  for (let elapsed = 0; elapsed < DRAIN_MS - 1_000; elapsed += 50) {
    clock.advance(50);
    // Commits and the timers behind them take their turns.
    await store.transaction('none', async () => {});
    expect(await leaseUntil()).toBeGreaterThan(clock.now());
  }
  while (!hasStopped) {
    clock.advance(50);
    await store.transaction('none', async () => {});
  }
  await stopped;
  expect(await store.read.runs.getState(TENANT, run.id)).toMatchObject({ owner: 'me', leaseUntil: 0 });
  expect(await store.read.nodeLeases.list()).toEqual([]);
  await release();
});

it('waits for a replay while it drains, and ends the replay when the drain is over', async () => {
  const activeReplays = new ActiveReplays();
  const { store, clock, run, handle, supervisor, release } = await startSupervisor({ activeReplays });
  const replay = activeReplays.begin(run);
  void handle.whileWaiting(() => new Promise(() => {}));
  const stopped = supervisor.stop(DRAIN_MS);
  clock.advance(DRAIN_MS - 1_000);
  await store.transaction('none', async () => {});
  expect(replay.signal.aborted).toBe(false);
  let hasStopped = false;
  void stopped.then(() => {
    hasStopped = true;
  });
  while (!hasStopped) {
    clock.advance(50);
    await store.transaction('none', async () => {});
  }
  expect(replay.signal.reason).toMatchObject({ code: 'draining' });
  await release();
});

it('claims no queued run, and fails not, when another gateway has started a run of the session since the check', async () => {
  const freeSlot = jest.fn();
  const capacity = { setQueued() {}, mostQueued: 10, takeSlot: () => true, freeSlot, isInUse: true };
  const { store, run, supervisor, release } = await startSupervisor({
    capacity,
    preparation: { prepareNextRun: async () => {} },
    runLimiter: { claimLock: () => 'none' },
    admission: {
      // Like RunAdmission, but without the check for an active run.
      claimNextRun: (tx: StoreTransaction) => tx.runs.update(TENANT, 'run_2', { from: ['queued'] }, { status: 'running' }),
    },
  });
  await store.transaction('none', tx => tx.runs.insert(aRun({ id: 'run_2', status: 'queued' })));
  await supervisor.startNextRun(run);
  expect(freeSlot).toHaveBeenCalledTimes(1);
  expect(await store.read.runs.unfinishedOf(TENANT, run.sessionId)).toEqual([
    { id: 'run_1', status: 'running' },
    { id: 'run_2', status: 'queued' },
  ]);
  await release();
});
