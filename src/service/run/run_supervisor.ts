/** The runs that this process executes: starts them, keeps their leases, takes over those of dead processes, gives its own back at the end. */
import type { InstanceId } from '../../port/instance_id';
import type { LogError } from '../../port/logger';
import type { RunRecord, RunState } from '../../port/store/runs';
import type { AgentDirectory } from '../agent/agent_directory';
import { RunCancelled } from './finish_run';
import { retryWhileStoreUnavailable } from './retry_while_store_unavailable';
import { type Claimed, LEASE_MS, type RunAdmission } from './run_admission';
import type { RunCapacity } from './run_capacity';
import type { RunExecution } from './run_execution';
import { RunHandle } from './run_handle';
import type { RunLogPorts } from './run_writer';

export interface SupervisorDeps {
  ports: RunLogPorts & { identity: InstanceId };
  agents: AgentDirectory;
  admission: RunAdmission;
  execution: RunExecution;
  capacity: RunCapacity;
  onError: LogError;
}

interface ActiveRun {
  run: RunRecord;
  handle: RunHandle;
  done: Promise<void>;
}

const HEARTBEAT_MS = 5_000;
const DRAIN_LOOK_MS = 50;
/** How long abandoned work may take to end, and a store that fails to take the leases back. */
const ABANDON_LIMIT_MS = 4_000;

export class RunSupervisor {
  private readonly active = new Map<string, ActiveRun>();
  /** Until when each active run is certainly ours. */
  private readonly leases = new Map<string, number>();
  /** Sessions whose next run waits for a free slot, and their tenants: first come, first served. */
  private readonly line = new Map<string, string>();
  private stopHeartbeat = () => {};
  /** Runs of this process that had no loop at the last beat. */
  private suspects: ReadonlySet<string> = new Set();
  private isStopping = false;
  private isHurried = false;

  constructor(private readonly deps: SupervisorDeps) {}

  /** Takes over what dead processes left and starts what waits; then looks for more, and keeps leases, every few seconds. */
  async begin(): Promise<void> {
    const { store, identity } = this.deps.ports;
    const unfinished = await store.read.unfinishedRuns();
    this.countWaiting(unfinished);
    const isDead = ({ owner }: RunState) => owner === undefined || identity.isGone(owner);
    await this.recoverOrphans(unfinished.filter(run => run.status !== 'queued' && isDead(run)));
    await this.startQueued(unfinished);
    this.scheduleHeartbeat();
  }

  /** The run must have a slot; it is freed when the run ends. */
  launch({ run, event }: Claimed): void {
    this.deps.ports.bus.publish([event]);
    this.deps.ports.bus.markStored(run.sessionId, run.id, event.seq);
    this.execute(run);
  }

  /** Starts the next queued run of a session that has none under way, or puts it in line when there is no free slot. */
  async advance(tenantId: string, sessionId: string): Promise<void> {
    this.putInLine({ tenantId, sessionId });
    await this.startNext();
  }

  putInLine({ tenantId, sessionId }: Pick<RunRecord, 'tenantId' | 'sessionId'>): void {
    this.line.set(sessionId, tenantId);
  }

  /** Starts what waits for a slot, if there is one. Never throws. */
  startWaiting(): void {
    if (this.line.size > 0) void this.startNext().catch(thrown => this.deps.onError('a waiting run could not be started', thrown));
  }

  private async startNext(): Promise<void> {
    const { capacity } = this.deps;
    while (this.line.size > 0 && !this.isStopping && capacity.takeSlot()) {
      const [first] = this.line;
      if (!first) return capacity.freeSlot();
      const [sessionId, tenantId] = first;
      this.line.delete(sessionId);
      let claimed: Claimed | undefined;
      try {
        claimed = await this.claimNext(tenantId, sessionId);
      } finally {
        if (!claimed) capacity.freeSlot();
      }
      if (!claimed) continue;
      capacity.leaveQueue();
      this.launch(claimed);
    }
  }

  private claimNext(tenantId: string, sessionId: string): Promise<Claimed | undefined> {
    const { store, clock } = this.deps.ports;
    return retryWhileStoreUnavailable(clock, () => store.transaction(tx => this.deps.admission.claimNext(tx, tenantId, sessionId)));
  }

  /** Whether the run executes here; if so, it is told to end. */
  cancel(runId: string): boolean {
    const active = this.active.get(runId);
    active?.handle.stop(new RunCancelled());
    return active !== undefined;
  }

  /** Stops one tool call that runs now; false when there is none of that id. */
  stopCall(runId: string, toolCallId: string): boolean {
    return this.active.get(runId)?.handle.stopToolCall(toolCallId) ?? false;
  }

  isExecuting(runId: string): boolean {
    return this.active.has(runId);
  }

  /** Waits up to `drainMs` for what runs, but not for people; gives the rest back for another process. Never rejects. */
  async stop(drainMs: number): Promise<void> {
    this.isStopping = true;
    this.stopHeartbeat();
    const { clock } = this.deps.ports;
    const deadline = clock.monotonic() + drainMs;
    const isWorking = () => [...this.active.values()].some(({ handle }) => !handle.isWaiting);
    while (isWorking() && !this.isHurried && clock.monotonic() < deadline) await this.pause(DRAIN_LOOK_MS);
    const rest = [...this.active.values()];
    for (const { handle } of rest) handle.abandon();
    await Promise.race([Promise.all(rest.map(({ done }) => done)), this.pause(ABANDON_LIMIT_MS)]);
    await Promise.race([this.releaseLeases(rest), this.pause(ABANDON_LIMIT_MS)]);
  }

  /** Cuts a drain short. */
  hurry(): void {
    this.isHurried = true;
  }

  private execute(run: RunRecord): void {
    const { execution, agents, capacity, onError } = this.deps;
    if (this.active.has(run.id)) {
      capacity.freeSlot();
      return;
    }
    const handle = new RunHandle(signal => this.assureLease(run.id, signal));
    this.leases.set(run.id, run.leaseUntil ?? 0);
    const done = execution
      .execute(run, agents.of(run), handle)
      .finally(() => {
        this.active.delete(run.id);
        this.leases.delete(run.id);
        capacity.freeSlot();
      })
      .finally(() => this.advance(run.tenantId, run.sessionId))
      .catch(thrown => onError('the next run of a session cannot start', thrown, { runId: run.id, sessionId: run.sessionId }));
    this.active.set(run.id, { run, handle, done });
  }

  /** A process that was asleep may have lost its runs without knowing: before a tool runs, an old lease is renewed first. */
  private async assureLease(runId: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.deps.ports;
    if ((this.leases.get(runId) ?? 0) > clock.now()) return;
    await retryWhileStoreUnavailable(
      clock,
      () => this.renewLeases(),
      () => signal.throwIfAborted(),
    );
    signal.throwIfAborted();
  }

  private scheduleHeartbeat(): void {
    this.stopHeartbeat = this.deps.ports.clock.after(HEARTBEAT_MS, () => {
      this.heartbeat()
        .catch(thrown => this.deps.onError('leases could not be renewed', thrown))
        .finally(() => !this.isStopping && this.scheduleHeartbeat());
    });
  }

  private async heartbeat(): Promise<void> {
    const { store, clock } = this.deps.ports;
    await this.renewLeases();
    await this.recoverOrphans(await store.read.orphanedRuns(clock.now()));
    const unfinished = await store.read.unfinishedRuns();
    this.countWaiting(unfinished);
    await this.startQueued(unfinished);
  }

  private countWaiting(unfinished: readonly RunState[]): void {
    this.deps.capacity.setWaiting(unfinished.filter(run => run.status === 'queued').length);
  }

  /** The process that was to start the next run of a session may have died before it did. */
  private async startQueued(unfinished: readonly RunState[]): Promise<void> {
    const busy = new Set(unfinished.filter(run => run.status !== 'queued').map(run => run.sessionId));
    const idle = new Map(unfinished.filter(run => !busy.has(run.sessionId)).map(run => [run.sessionId, run.tenantId]));
    for (const [sessionId, tenantId] of idle) await this.advance(tenantId, sessionId);
  }

  private async renewLeases(): Promise<void> {
    const { store, clock, identity } = this.deps.ports;
    const before = [...this.active.values()];
    if (before.length === 0) return;
    const owned = await store.transaction(tx => tx.renewLeases(identity.self, clock.now() + LEASE_MS));
    const byId = new Map(owned.map(run => [run.id, run]));
    for (const { run, handle } of before) {
      const mine = byId.get(run.id);
      if (mine?.cancelRequested) this.cancel(run.id);
      if (mine) this.leases.set(run.id, clock.now() + LEASE_MS);
      // Ended meanwhile, or taken over by another process: either way there is nothing left to write here.
      if (!mine) handle.abandon();
    }
    await this.releaseOrphans(owned);
  }

  /** A run of this process that nothing here works on, at two beats in a row, lost its loop: its lease ends, so that it is taken over. */
  private async releaseOrphans(owned: readonly Pick<RunRecord, 'tenantId' | 'id'>[]): Promise<void> {
    const idle = owned.filter(run => !this.active.has(run.id));
    const strays = idle.filter(run => this.suspects.has(run.id));
    this.suspects = new Set(idle.map(run => run.id));
    if (strays.length === 0) return;
    const { store, clock } = this.deps.ports;
    await store.transaction(async tx => {
      for (const { tenantId, id } of strays)
        await tx.updateRun(tenantId, id, { from: ['running', 'waiting'] }, { leaseUntil: clock.now() });
    });
  }

  private async recoverOrphans(runs: readonly RunState[]): Promise<void> {
    for (const run of runs) {
      if (this.isStopping || this.active.has(run.id)) continue;
      const taken = await this.acquireLease(run);
      if (!taken) continue;
      this.deps.capacity.forceSlot();
      this.execute(taken);
    }
  }

  private acquireLease(run: RunState): Promise<RunRecord | undefined> {
    const { store, clock, identity } = this.deps.ports;
    const wasGivenBack = run.leaseUntil === 0;
    const patch = {
      epoch: run.epoch + 1,
      owner: identity.self,
      leaseUntil: clock.now() + LEASE_MS,
      recoveries: run.recoveries + (wasGivenBack ? 0 : 1),
      // The first loss counts: a cursor beyond it may point at events that never were stored.
      recoveredAtSeq: run.recoveredAtSeq ?? run.lastSeq,
    };
    return store.transaction(async tx => {
      const isMine = await tx.updateRun(run.tenantId, run.id, { from: ['running', 'waiting'], epoch: run.epoch }, patch);
      return isMine ? tx.getRun(run.tenantId, run.id) : undefined;
    });
  }

  private async releaseLeases(runs: readonly ActiveRun[]): Promise<void> {
    const { store } = this.deps.ports;
    if (runs.length === 0) return;
    try {
      await store.transaction(async tx => {
        for (const { run } of runs) {
          await tx.updateRun(run.tenantId, run.id, { from: ['running', 'waiting'], epoch: run.epoch }, { leaseUntil: 0 });
        }
      });
    } catch (thrown) {
      this.deps.onError('runs could not be given back; their leases will expire', thrown);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => this.deps.ports.clock.after(milliseconds, resolve));
  }
}
