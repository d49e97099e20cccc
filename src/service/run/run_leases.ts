/**
 * Leases of runs. A process owns a run while its lease in the store lasts: it renews the lease, and another process acquires the run when the
 * lease has expired or its owner is dead. Each acquisition raises the epoch of the run, which fences the writes of earlier owners.
 */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import { isTerminal } from '../../port/run_event';
import type { RunRecord, RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';

/** Milliseconds for which a renewal keeps a lease. */
export const LEASE_MS = 15_000;

type OwnedRun = Pick<RunRecord, 'tenantId' | 'id' | 'cancelRequested'>;

export class RunLeases {
  /** Run id -> time (milliseconds since 1970) until which this process certainly owns the run. */
  private readonly ownedUntil = new Map<string, number>();
  /** Runs that this process owned and did not execute at the last renewal. */
  private idleRuns: ReadonlySet<string> = new Set();

  constructor(private readonly deps: { store: Store; clock: Clock; identity: InstanceId }) {}

  /** Keeps track of the lease of a run that was just claimed or acquired. */
  addRun({ id, leaseUntil }: RunRecord): void {
    this.ownedUntil.set(id, leaseUntil ?? 0);
  }

  removeRun(runId: string): void {
    this.ownedUntil.delete(runId);
  }

  /** Returns true while the lease has certainly not expired. */
  isCertain(runId: string): boolean {
    return (this.ownedUntil.get(runId) ?? 0) > this.deps.clock.now();
  }

  /** Resolves with the run under its new epoch, or with undefined when another process was faster. */
  acquire(run: RunState): Promise<RunRecord | undefined> {
    const { store, clock, identity } = this.deps;
    const wasReleased = run.leaseUntil === 0;
    const patch = {
      epoch: run.epoch + 1,
      owner: identity.self,
      leaseUntil: clock.now() + LEASE_MS,
      recoveries: run.recoveries + (wasReleased ? 0 : 1),
      // Keep the seq of the first loss: a cursor beyond it may point at events that were never stored.
      recoveredAtSeq: run.recoveredAtSeq ?? run.lastSeq,
    };
    return store.transaction('none', async tx => {
      const isMine = await tx.runs.update(run.tenantId, run.id, { from: ['running', 'waiting'], epoch: run.epoch }, patch);
      return isMine ? tx.runs.get(run.tenantId, run.id) : undefined;
    });
  }

  /** Renews every lease of this process. Resolves with the runs that it owns, by id. */
  async renewAll(): Promise<ReadonlyMap<string, OwnedRun>> {
    const { store, clock, identity } = this.deps;
    const leaseUntil = clock.now() + LEASE_MS;
    const owned = await store.transaction('none', tx => tx.runs.renewLeases(identity.self, leaseUntil));
    for (const { id } of owned) if (this.ownedUntil.has(id)) this.ownedUntil.set(id, leaseUntil);
    return new Map(owned.map(run => [run.id, run]));
  }

  /**
   * Resolves with the runs of `runs` that are gone or that another process owns. The other runs were missing in a renewal because they have just
   * ended here.
   */
  async lostRuns(runs: readonly RunRecord[]): Promise<RunRecord[]> {
    const { read } = this.deps.store;
    const states = await Promise.all(runs.map(run => read.runs.getState(run.tenantId, run.id)));
    return runs.filter((run, i) => !isTerminal(states[i]?.status ?? 'running') || states[i]?.epoch !== run.epoch);
  }

  /**
   * Expires the leases of runs that this process owns but does not execute, so that the next heartbeat of any process recovers them. A run
   * must be idle at two renewals in a row, because it may be about to start at the first one.
   */
  async expireIdle(idle: readonly OwnedRun[]): Promise<void> {
    const lost = idle.filter(run => this.idleRuns.has(run.id));
    this.idleRuns = new Set(idle.map(run => run.id));
    if (lost.length === 0) return;
    const { store, clock } = this.deps;
    await store.transaction('none', async tx => {
      for (const { tenantId, id } of lost)
        await tx.runs.update(tenantId, id, { from: ['running', 'waiting'] }, { leaseUntil: clock.now() });
    });
  }

  /** Releases the leases at shutdown. A released run is acquired by another process at once, and this does not count as a recovery. */
  async release(runs: readonly RunRecord[]): Promise<void> {
    if (runs.length === 0) return;
    await this.deps.store.transaction('none', async tx => {
      for (const { tenantId, id, epoch } of runs)
        await tx.runs.update(tenantId, id, { from: ['running', 'waiting'], epoch }, { leaseUntil: 0 });
    });
  }
}
