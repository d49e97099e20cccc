/** The drain of a process over a real database file, with a clock that the test moves and a run that does not end. */
import type { RunState } from '../../../src/port/store/runs';
import { LEASE_MS } from '../../../src/service/run/run_leases';
import { RunSupervisor, type RunSupervisorDeps } from '../../../src/service/run/run_supervisor';
import { createManualClock } from '../../support/manual_clock';
import { aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const DRAIN_MS = 20_000;

it('keeps the leases of its runs while it drains, longer than a lease lasts, and releases them at the end', async () => {
  const { store, release } = await openTemporaryStore();
  const clock = createManualClock();
  const run = await store.transaction(async tx => {
    await tx.sessions.insert(aSession());
    return tx.runs.insert(aRun({ owner: 'me', leaseUntil: clock.now() + LEASE_MS }));
  });
  const ended = new Promise<void>(() => {});
  const deps = {
    store,
    clock,
    bus: { publish() {}, withdraw() {} },
    identity: { self: 'me', isGone: () => false },
    agents: { agentFor: () => ({}) },
    execution: { executeRun: () => ended },
    capacity: { setQueued() {}, takeSlot: () => false },
    callerPresence: { checkCallers: async () => {} },
    onError: (message: string, thrown: unknown) => {
      throw new Error(message, { cause: thrown });
    },
  } as unknown as RunSupervisorDeps;
  const supervisor = new RunSupervisor(deps);
  await supervisor.start();
  supervisor.launch({ run, event: undefined as never });
  const leaseUntil = async () => ((await store.read.runs.getState(TENANT, run.id)) as RunState).leaseUntil ?? 0;

  let hasStopped = false;
  const stopped = supervisor.stop(DRAIN_MS).then(() => {
    hasStopped = true;
  });
  for (let elapsed = 0; elapsed < DRAIN_MS - 1_000; elapsed += 50) {
    clock.advance(50);
    // Commits and the timers behind them take their turns.
    await store.transaction(async () => {});
    expect(await leaseUntil()).toBeGreaterThan(clock.now());
  }
  while (!hasStopped) {
    clock.advance(50);
    await store.transaction(async () => {});
  }
  await stopped;
  expect(await leaseUntil()).toBe(0);
  await release();
});
