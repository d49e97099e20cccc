/**
 * Runs and their owners. A process owns a run while the lease of the process lasts (node_lease.ts); another process acquires the run when that lease has
 * expired or its owner is dead. Each acquisition raises the epoch of the run, which fences the writes of earlier owners.
 */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import { isTerminal } from '../../port/run_event';
import { WITH_NODE_LEASE } from '../../port/store/node_leases';
import type { RunRecord, RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';

/** The values of `leaseUntil` with which a process gives up a run. */
const RELEASED = 0;
const EXPIRED = 1;

export type OwnedRun = Pick<RunRecord, 'tenantId' | 'id' | 'cancelRequested' | 'cancelledBy'>;

/** Rolls an acquisition back: the owner has renewed its lease since. */
class OwnerLives extends Error {}

export class RunLeases {
  /** Runs that this process owned and did not execute at the last heartbeat. */
  private idleRuns: ReadonlySet<string> = new Set();

  constructor(private readonly deps: { store: Store; clock: Clock; identity: InstanceId }) {}

  /** Resolves with the run under its new epoch, or with undefined when another process was faster or the owner lives. */
  acquire(run: RunState): Promise<RunRecord | undefined> {
    const { store, clock, identity } = this.deps;
    const patch = {
      epoch: run.epoch + 1,
      owner: identity.self,
      leaseUntil: WITH_NODE_LEASE,
      recoveries: run.recoveries + (run.leaseUntil === RELEASED ? 0 : 1),
      // Keep the seq of the first loss: a cursor beyond it may point at events that were never stored.
      recoveredAtSeq: run.recoveredAtSeq ?? run.lastSeq,
    };
    const acquired = store.transaction('run', async tx => {
      const isMine = await tx.runs.update(run.tenantId, run.id, { from: ['running', 'waiting'], epoch: run.epoch }, patch);
      if (!isMine) return undefined;
      // Keep the owner from a renewal until the run has its new owner: a process that was paused would go on with the run.
      const owner = run.leaseUntil === WITH_NODE_LEASE ? run.owner : undefined;
      if (owner !== undefined && !(await tx.nodeLeases.holdExpired(owner, clock.now()))) throw new OwnerLives();
      return tx.runs.get(run.tenantId, run.id);
    });
    return acquired.catch(thrown => {
      if (thrown instanceof OwnerLives) return undefined;
      throw thrown;
    });
  }

  /** Resolves with the runs that this process owns, by id. */
  async readOwned(): Promise<ReadonlyMap<string, OwnedRun>> {
    const owned = await this.deps.store.read.runs.ownedBy(this.deps.identity.self);
    return new Map(owned.map(run => [run.id, run]));
  }

  /** Resolves with the runs of `runs` that are gone or that another process owns. The other runs have just ended here. */
  async lostRuns(runs: readonly RunRecord[]): Promise<RunRecord[]> {
    const { read } = this.deps.store;
    const states = await Promise.all(runs.map(run => read.runs.getState(run.tenantId, run.id)));
    return runs.filter((run, i) => !isTerminal(states[i]?.status ?? 'running') || states[i]?.epoch !== run.epoch);
  }

  /**
   * Gives up runs that this process owns but does not execute, so that the next heartbeat of any process recovers them. A run must be idle at two
   * heartbeats in a row, because it may be about to start at the first one.
   */
  async expireIdle(idle: readonly OwnedRun[]): Promise<void> {
    const lost = idle.filter(run => this.idleRuns.has(run.id));
    this.idleRuns = new Set(idle.map(run => run.id));
    for (const { tenantId, id } of lost) {
      await this.deps.store.transaction('run', tx =>
        tx.runs.update(tenantId, id, { from: ['running', 'waiting'] }, { leaseUntil: EXPIRED }),
      );
    }
  }

  /** Releases the runs at shutdown. A released run is acquired by another process at once, and this does not count as a recovery. */
  async release(runs: readonly RunRecord[]): Promise<void> {
    const { store } = this.deps;
    const releaseRun = ({ tenantId, id, epoch }: RunRecord) =>
      store.transaction('run', tx => tx.runs.update(tenantId, id, { from: ['running', 'waiting'], epoch }, { leaseUntil: RELEASED }));
    await Promise.all(runs.map(releaseRun));
  }
}
