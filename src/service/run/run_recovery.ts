/**
 * Keeps the lease of this process, gives up runs that another process has acquired, and recovers the runs of processes that have died: at the start and
 * at each heartbeat.
 */
import type { Clock } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { InstanceId } from '../../port/instance_id';
import { WITH_NODE_LEASE } from '../../port/store/node_leases';
import type { RunRecord, RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { NodeLease } from './node_lease';
import type { RunHandle } from './run_handle';
import { type OwnedRun, RunLeases } from './run_leases';

export interface RunRecoveryDeps {
  store: Store;
  bus: EventBus;
  clock: Clock;
  identity: InstanceId;
  nodeLease: NodeLease;
}

/** The parts of the supervisor that the recovery calls. */
export interface ExecutingRuns {
  /** The runs that execute here, by id. */
  readonly active: ReadonlyMap<string, { run: RunRecord; handle: RunHandle }>;
  readonly isStopping: boolean;
  cancelRun(runId: string, by?: string): void;
  /** Executes a run that this process has acquired. */
  continueRun(run: RunRecord): void;
}

export class RunRecovery {
  private readonly leases: RunLeases;
  /** The store was there at the last heartbeat. */
  private wasStoreReachable = true;

  constructor(
    private readonly deps: RunRecoveryDeps,
    private readonly runs: ExecutingRuns,
  ) {
    this.leases = new RunLeases(deps);
    deps.nodeLease.onGap(async () => void (await this.checkOwnRuns()));
  }

  /** Takes the lease of this process. */
  start(): Promise<void> {
    return this.deps.nodeLease.start();
  }

  /** Recovers runs that were released, and runs of dead processes of this machine. */
  async recoverAtStart(): Promise<void> {
    const { store, clock, identity } = this.deps;
    // A process of another machine whose lease is over may be about to renew the lease: the store may have been away.
    const isDead = ({ owner, leaseUntil }: RunState) => owner === undefined || leaseUntil !== WITH_NODE_LEASE || identity.isGone(owner);
    await this.acquireAll((await store.read.runs.orphaned(clock.now())).filter(isDead));
  }

  async beat(): Promise<void> {
    const { store, clock, nodeLease } = this.deps;
    const { wasStoreReachable } = this;
    this.wasStoreReachable = false;
    if (nodeLease.isNeeded) await nodeLease.renew();
    await this.leases.expireIdle(await this.checkOwnRuns());
    const orphans = await store.read.runs.orphaned(clock.now());
    this.wasStoreReachable = true;
    // When the store was away, processes that are alive could not renew their leases; they do so before the next heartbeat.
    if (wasStoreReachable) await this.acquireAll(orphans);
  }

  /** Leaves the runs to other processes, which acquire them at once, and ends the lease of this process. */
  async release(runs: readonly RunRecord[]): Promise<void> {
    await this.leases.release(runs);
    await this.deps.nodeLease.end();
  }

  /** Stops runs that another process has acquired or cancelled. Resolves with the runs that this process owns but does not execute. */
  private async checkOwnRuns(): Promise<OwnedRun[]> {
    const { active } = this.runs;
    // Only runs that executed before the reading count: the result may lack a run that has started meanwhile.
    const executing = [...active.values()].map(({ run }) => run);
    const owned = await this.leases.readOwned();
    for (const { id } of executing) {
      const run = owned.get(id);
      if (run?.cancelRequested) this.runs.cancelRun(id, run.cancelledBy);
    }
    for (const run of await this.leases.lostRuns(executing.filter(({ id }) => !owned.has(id)))) {
      active.get(run.id)?.handle.abandon();
      this.deps.bus.withdraw(run.sessionId, run.id);
    }
    return [...owned.values()].filter(({ id }) => !active.has(id));
  }

  private async acquireAll(runs: readonly RunState[]): Promise<void> {
    for (const run of runs) {
      if (this.runs.isStopping || this.runs.active.has(run.id)) continue;
      const acquired = await this.leases.acquire(run);
      if (acquired) this.runs.continueRun(acquired);
    }
  }
}
