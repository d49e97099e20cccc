/**
 * Cancels a run after all its callers have left, unless a retry of the request joins within a while. The row of the run names the process at which
 * its callers wait. So any gateway on the store notices when that process has died, for queued runs too, whichever gateway executes the run.
 */

import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { LogError } from '../../port/logger';
import type { Lock } from '../../port/store/lock';
import { WITH_NODE_LEASE } from '../../port/store/node_leases';
import type { RunReader, RunRecord, RunState, RunWriter } from '../../port/store/runs';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { AgentExecutor } from './agent_executor';
import type { NodeLease } from './node_lease';
import type { RunSupervisor } from './run_supervisor';

const GRACE_MS = 2_000;
/** Milliseconds after the death of a process until its runs are cancelled: clients can retry only once a new process listens. */
const LOST_GRACE_MS = 10_000;
const UNFINISHED = ['queued', 'running', 'waiting'] as const;

type RunKey = Pick<RunRecord, 'tenantId' | 'id'>;

interface Presence {
  callers: number;
  stopTimer?: () => void;
}

type CallerWriter = { runs: Pick<RunWriter, 'update' | 'loseCallers'> };

export interface CallerPresenceDeps {
  store: {
    read: { runs: Pick<RunReader, 'getState' | 'leftByCallers'> };
    transaction<T>(lock: Lock, work: (tx: CallerWriter) => Promise<T>): Promise<T>;
  };
  clock: Clock;
  identity: InstanceId;
  /** The heartbeat of the supervisor checks the callers. */
  supervisor: Pick<RunSupervisor, 'onHeartbeat'>;
  nodeLease: Pick<NodeLease, 'keepWhile' | 'isCertain' | 'renew'>;
  executor: Pick<AgentExecutor, 'cancel'>;
  onError: LogError;
}

export class CallerPresence {
  private readonly runs = new Map<string, Presence>();
  private isStopped = false;

  constructor(private readonly deps: CallerPresenceDeps) {
    deps.supervisor.onHeartbeat(() => this.checkCallers());
    deps.nodeLease.keepWhile(() => this.runs.size > 0);
  }

  /**
   * Adds a caller that waits for the run or reads it. Call the returned function when the caller leaves or has the end of the run; later calls do
   * nothing.
   */
  addCaller(run: RunKey & Pick<RunRecord, 'callerAt'>): (how: 'left' | 'ended') => void {
    const key = keyOf(run);
    const presence = this.runs.get(key) ?? { callers: 0 };
    this.runs.set(key, presence);
    presence.callers += 1;
    presence.stopTimer?.();
    if (run.callerAt !== this.deps.identity.self || !this.deps.nodeLease.isCertain) this.joinHere(run);
    let isPresent = true;
    return how => {
      if (!isPresent) return;
      isPresent = false;
      presence.callers -= 1;
      if (presence.callers > 0) return;
      if (how === 'ended') this.runs.delete(key);
      else presence.stopTimer = this.deps.clock.after(GRACE_MS, () => void this.cancelUnlessMoved(run).catch(this.logError(run)));
    };
  }

  /** Cancels nothing from now on: this process ends and breaks the connections of its callers, which retry at the next process. */
  stop(): void {
    this.isStopped = true;
  }

  /** Cancels runs whose callers waited at a dead process, unless a retry joins in time. Never rejects. */
  private async checkCallers(): Promise<void> {
    if (this.isStopped) return;
    const { store, clock, onError } = this.deps;
    try {
      for (const run of await store.read.runs.leftByCallers(clock.now())) await this.checkRun(run);
    } catch (thrown) {
      onError('the callers of runs could not be checked', thrown);
    }
  }

  private async checkRun(run: RunState & { isOver: boolean }): Promise<void> {
    const { store, clock } = this.deps;
    if (this.hasCallers(run)) return this.moveHere(run);
    if (run.callerAt !== undefined || run.callerUntil === 0) {
      return store.transaction('none', tx => tx.runs.loseCallers(run, { now: clock.now(), graceMs: LOST_GRACE_MS }));
    }
    if (run.isOver && !run.cancelRequested) this.cancel(run);
  }

  private hasCallers(run: RunKey): boolean {
    return (this.runs.get(keyOf(run))?.callers ?? 0) > 0;
  }

  private joinHere(run: RunKey): void {
    this.moveHere(run).catch(thrown => this.deps.onError('the caller of a run could not be stored', thrown, { runId: run.id }));
  }

  private async moveHere({ tenantId, id }: RunKey): Promise<void> {
    const { store, identity, nodeLease } = this.deps;
    // Other gateways look at the lease as soon as the row names this process.
    if (!nodeLease.isCertain) await nodeLease.renew();
    const patch = { callerAt: identity.self, callerUntil: WITH_NODE_LEASE };
    await store.transaction('none', tx => tx.runs.update(tenantId, id, { from: UNFINISHED }, patch));
  }

  /** Leaves the run alone when a retry has joined it at another gateway. */
  private async cancelUnlessMoved(run: RunKey): Promise<void> {
    const { store, clock, identity } = this.deps;
    const state = await retryWhileStoreUnavailable(clock, () => store.read.runs.getState(run.tenantId, run.id));
    if (this.hasCallers(run)) return;
    this.runs.delete(keyOf(run));
    if ((state?.callerAt ?? identity.self) === identity.self) this.cancel(run);
  }

  private cancel(run: RunKey): void {
    if (this.isStopped) return;
    this.deps.executor.cancel(run.tenantId, run.id).catch(this.logError(run));
  }

  private logError({ id }: RunKey): (thrown: unknown) => void {
    return thrown => this.deps.onError('a run whose caller left could not be cancelled', thrown, { runId: id });
  }
}

const keyOf = ({ tenantId, id }: RunKey): string => `${tenantId}\n${id}`;
