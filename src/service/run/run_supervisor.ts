/** Supervises the runs of this process: fills free slots, keeps the lease, recovers the runs of dead processes, and drains at shutdown. */
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { QueuedSession, RunRecord } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';
import { SessionBusyError } from '../../port/store/store_errors';
import type { AgentDirectory } from '../agent/agent_directory';
import type { ActiveReplays } from '../limits/active_replays';
import type { RunLimiter } from '../limits/run_limiter';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { Drain } from './drain';
import type { EarlyReading } from './early_reading';
import { RunCancelled } from './finish_run';
import type { RunAdmission } from './run_admission';
import type { RunCapacity } from './run_capacity';
import type { BegunRun, RunExecution } from './run_execution';
import { RunHandle } from './run_handle';
import type { RunPreparation } from './run_preparation';
import { RunQueue } from './run_queue';
import { type ExecutingRuns, RunRecovery, type RunRecoveryDeps } from './run_recovery';
import type { Claimed } from './start_request';

export interface RunSupervisorDeps extends RunRecoveryDeps {
  agents: AgentDirectory;
  admission: RunAdmission;
  runLimiter: Pick<RunLimiter, 'claimLock'>;
  preparation: RunPreparation;
  execution: RunExecution;
  capacity: RunCapacity;
  activeReplays: Pick<ActiveReplays, 'count' | 'stop'>;
  onError: LogError;
  observer: Observer;
}

/** Nothing to claim when another gateway has started a run of the session: its end starts the next one. */
function noneIfBusy(thrown: unknown): undefined {
  if (!(thrown instanceof SessionBusyError)) throw thrown;
}

/** Must not reject. */
export type HeartbeatListener = () => Promise<void>;

interface ActiveRun {
  run: RunRecord;
  handle: RunHandle;
  /** Milliseconds since 1970. */
  since: number;
  done: Promise<void>;
}

const NOT_RENEWED = 'the lease could not be renewed';
const HEARTBEAT_MS = 5_000;
/** Limit of the wait for abandoned runs, and again of the wait for the store to release their leases. */
const ABANDON_LIMIT_MS = 4_000;

export class RunSupervisor implements ExecutingRuns {
  readonly active = new Map<string, ActiveRun>();
  private readonly queue = new RunQueue();
  private readonly drain: Drain;
  private readonly listeners: HeartbeatListener[] = [];
  private stopHeartbeat = () => {};
  isStopping = false;
  private hasDrained = false;
  /** The queued runs of the store are looked at in parts: the part after this time of creation is the next one. */
  private queuePart = 0;
  private readonly recovery: RunRecovery;

  constructor(private readonly deps: RunSupervisorDeps) {
    this.recovery = new RunRecovery(deps, this);
    this.drain = new Drain(deps.clock);
    // A slot is taken before the transaction that claims its run.
    deps.nodeLease.keepWhile(() => deps.capacity.isInUse);
  }

  /** Calls the listener at the start and at every heartbeat, and waits for it before queued runs start. */
  onHeartbeat(listener: HeartbeatListener): void {
    this.listeners.push(listener);
  }

  /** Recovers the runs of dead processes, starts queued runs, and then does both again at every heartbeat, which also renews the lease. */
  async start(): Promise<void> {
    await this.recovery.start();
    await this.updateQueueCount();
    for (const listener of this.listeners) await listener();
    await this.recovery.recoverAtStart();
    do await this.queueIdleSessions();
    while (this.queuePart > 0);
    await this.startFromQueue();
    this.scheduleHeartbeat();
  }

  /**
   * Begins a new run in the transaction that accepts it. Resolves with undefined when that fails; `launch` then begins it anew. Call `launch` when
   * the transaction was committed, and `discard` on the result otherwise.
   */
  async beginRun({ run, session, first }: Claimed, tx: StoreReader, early?: EarlyReading): Promise<BegunRun | undefined> {
    const { execution, agents } = this.deps;
    try {
      return await execution.beginRun(run, agents.agentFor(run), { handle: this.createHandle(), read: tx, session, early, first });
    } catch {
      return undefined;
    }
  }

  /** Publishes the first event of a claimed run and executes the run. The caller has taken a slot, which is freed at the end of the run. */
  launch({ run, event }: Claimed, begun?: BegunRun): void {
    this.deps.bus.publish([event], run.epoch);
    this.execute(run, begun);
  }

  /** Starts the next queued run of an idle session, or queues the session when no slot is free. */
  async startNextRun(session: QueuedSession): Promise<void> {
    this.queueSession(session);
    await this.startFromQueue();
  }

  /** Queues the session for a slot; call `fillSlots` afterwards. */
  queueSession({ tenantId, keyName, sessionId }: QueuedSession): void {
    this.queue.addSession({ tenantId, keyName, sessionId });
  }

  /** Starts runs of queued sessions while slots are free. Never throws. */
  fillSlots(): void {
    if (!this.queue.hasNext) return;
    void this.startFromQueue().catch(thrown => this.deps.onError('a queued run could not be started', thrown));
  }

  private async startFromQueue(): Promise<void> {
    const { capacity } = this.deps;
    while (this.queue.hasNext && !this.isStopping && capacity.takeSlot()) {
      const session = this.queue.takeNext();
      let claimed: Claimed | 'held' | undefined;
      try {
        claimed = session && (await this.claimNextRun(session));
      } finally {
        if (!claimed || claimed === 'held') capacity.freeSlot();
      }
      if (session && claimed === 'held') this.queue.holdKey(session);
      if (!claimed || claimed === 'held') continue;
      capacity.leaveQueue(claimed.run);
      this.launch(claimed);
    }
  }

  private claimNextRun({ tenantId, sessionId }: QueuedSession): Promise<Claimed | 'held' | undefined> {
    const { store, clock, admission, preparation, runLimiter } = this.deps;
    return retryWhileStoreUnavailable(clock, async () => {
      // Reading costs less than a transaction, and most sessions have no queued run.
      if ((await store.read.runs.countQueued(tenantId, sessionId)) === 0) return undefined;
      await preparation.prepareNextRun(tenantId, sessionId);
      const lock = runLimiter.claimLock({ tenantId, sessionId });
      return store.transaction(lock, tx => admission.claimNextRun(tx, tenantId, sessionId)).catch(noneIfBusy);
    });
  }

  /** Tells the run to end as cancelled. `by`: who cancels. Returns false when another process executes it. */
  cancelRun(runId: string, by?: string): boolean {
    const handle = this.active.get(runId)?.handle;
    if (handle) this.deps.observer.note({ type: 'run_cancel_requested', runId });
    handle?.stop(new RunCancelled(by));
    return handle !== undefined;
  }

  /** Stops one running tool call; returns false when no such call runs. */
  stopToolCall(runId: string, toolCallId: string): boolean {
    return this.active.get(runId)?.handle.stopToolCall(toolCallId) ?? false;
  }

  isExecuting(runId: string): boolean {
    return this.active.has(runId);
  }

  /** Stores the events that a run has shown so far, unfinished text included. Does nothing when the run does not execute here. Never rejects. */
  async storeShownEvents(runId: string): Promise<void> {
    // A write that fails stops the run by itself.
    await this.active
      .get(runId)
      ?.handle.writer?.storeShown()
      .catch(() => {});
  }

  /** Counts runs that have shown no event for `milliseconds` and wait for no person. */
  countStuckRuns(milliseconds: number): number {
    const before = this.deps.clock.now() - milliseconds;
    return [...this.active.values()].filter(({ handle, since }) => !handle.isWaiting && (handle.lastEventAt ?? since) < before).length;
  }

  /**
   * Waits up to `drainMs` for runs and replays to end, except runs that wait for a person; releases the other runs for another process, and ends the
   * other replays. Never rejects.
   */
  async stop(drainMs: number): Promise<void> {
    this.isStopping = true;
    const { activeReplays } = this.deps;
    const isWorking = () => activeReplays.count > 0 || [...this.active.values()].some(({ handle }) => !handle.isWaiting);
    await this.drain.untilIdle(isWorking, drainMs);
    // Set only now: the drain may outlast a lease, and another process must not take over runs that still execute here.
    this.hasDrained = true;
    this.stopHeartbeat();
    activeReplays.stop();
    const rest = [...this.active.values()];
    for (const { handle } of rest) handle.abandon();
    await this.drain.atMost(ABANDON_LIMIT_MS, Promise.all(rest.map(({ done }) => done)));
    await this.drain.atMost(ABANDON_LIMIT_MS, this.releaseRuns(rest.map(({ run }) => run)));
  }

  /** Ends the drain of `stop` at once. */
  cutDrain(): void {
    this.drain.cut();
  }

  private createHandle(): RunHandle {
    return new RunHandle(signal => this.assureLease(signal));
  }

  private execute(run: RunRecord, begun?: BegunRun): void {
    const { execution, agents, capacity, clock, nodeLease, onError } = this.deps;
    if (this.active.has(run.id)) {
      // This process has recovered the run before its launch: two loops would make its tool calls twice.
      begun?.discard();
      capacity.freeSlot();
      return;
    }
    const handle = begun?.handle ?? this.createHandle();
    if (!nodeLease.isCertain) nodeLease.renew().catch(thrown => onError(NOT_RENEWED, thrown));
    const done = execution
      .executeRun(run, agents.agentFor(run), handle, begun)
      .finally(() => {
        this.active.delete(run.id);
        capacity.freeSlot();
      })
      .then(hasQueued => {
        this.queue.releaseKeys(run.tenantId);
        if (hasQueued) this.queueSession(run);
        return this.startFromQueue();
      })
      .catch(thrown => onError('the next run of a session cannot start', thrown, { runId: run.id, sessionId: run.sessionId }));
    this.active.set(run.id, { run, handle, since: clock.now(), done });
    begun?.accept();
  }

  continueRun(run: RunRecord): void {
    this.deps.capacity.forceSlot();
    this.execute(run);
  }

  /** Renews an expired lease before a tool runs, because another process may own the run after this process was paused. */
  private async assureLease(signal: AbortSignal): Promise<void> {
    const { clock, nodeLease } = this.deps;
    if (nodeLease.isCertain) return;
    await retryWhileStoreUnavailable(
      clock,
      () => nodeLease.renew(),
      () => signal.throwIfAborted(),
    );
    signal.throwIfAborted();
  }

  private scheduleHeartbeat(): void {
    this.stopHeartbeat = this.deps.clock.after(HEARTBEAT_MS, () => {
      this.heartbeat()
        .catch(thrown => this.deps.onError(NOT_RENEWED, thrown))
        .finally(() => !this.hasDrained && this.scheduleHeartbeat());
    });
  }

  private async heartbeat(): Promise<void> {
    await this.recovery.beat();
    await this.updateQueueCount();
    for (const listener of this.listeners) await listener();
    // Runs of other processes may have ended, so held keys may have room again.
    this.queue.releaseKeys();
    await this.queueIdleSessions();
    await this.startFromQueue();
  }

  private async updateQueueCount(): Promise<void> {
    const { store, capacity } = this.deps;
    capacity.setQueued(await store.read.runs.countQueuedOfKeys(capacity.mostQueued));
  }

  /**
   * Queues sessions without an active run whose queued runs are in the next part of the store's queue: the process that was to start them may have died,
   * or its slots are taken.
   */
  private async queueIdleSessions(): Promise<void> {
    const { sessions, next } = await this.deps.store.read.runs.idleQueued(this.queuePart);
    this.queuePart = next ?? 0;
    for (const session of sessions) this.queueSession(session);
  }

  private async releaseRuns(runs: readonly RunRecord[]): Promise<void> {
    try {
      await this.recovery.release(runs);
    } catch (thrown) {
      this.deps.onError('runs could not be released and wait for the end of the lease', thrown);
    }
  }
}
