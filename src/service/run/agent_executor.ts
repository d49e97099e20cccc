/**
 * THE executor: every door starts, steers and cancels runs here. A run is stored before it is acknowledged, and the runs of a session execute in
 * order, one at a time. The executor knows no protocol.
 */

import { AppError } from '../../errors';
import type { Failpoints } from '../../port/failpoints';
import type { NodeBus } from '../../port/node_bus';
import { type Actor, isGuestName } from '../../port/principal';
import { isTerminal } from '../../port/run_event';
import type { Lock } from '../../port/store/lock';
import type { QueuedSession, RunRecord } from '../../port/store/runs';
import type { SessionAccess } from '../access/session_access';
import { byActor } from '../audit/audit_log';
import type { LockedRequest, RunLimiter } from '../limits/run_limiter';
import { OncePerKey } from '../once_per_key';
import type { RemoteRunPoller } from '../run_log/remote_run_poller';
import { type Canceller, type CancelQueuedRunDeps, cancelEntry, cancelQueuedRun } from './cancel_queued_run';
import type { EarlyReading } from './early_reading';
import { assertGuestMayStart, withGuestTools } from './guest_runs';
import { shownWriter, writerOf } from './message_writer';
import type { QueueMessage } from './remote_requests';
import type { RunAdmission } from './run_admission';
import type { RunReservation } from './run_capacity';
import type { BegunRun, RunExecution } from './run_execution';
import type { RunPreparation } from './run_preparation';
import type { RunSupervisor } from './run_supervisor';
import type { AcceptedRun, Admission, AdmissionWork, BeforeStart, Interruption, StartRequest } from './start_request';
import { letCallLeave, reachStartFailpoints } from './start_steps';
import type { SteeringRequest, SteeringService } from './steering_service';
import { noToolCall, stopRemoteToolCall } from './stop_remote_tool_call';
import { waitForEnd } from './wait_for_end';

export interface AgentExecutorDeps extends CancelQueuedRunDeps {
  failpoints: Failpoints;
  admission: RunAdmission;
  preparation: RunPreparation;
  execution: Pick<RunExecution, 'readEarly'>;
  supervisor: RunSupervisor;
  runLimiter: Pick<RunLimiter, 'startLock'>;
  steering: SteeringService;
  remoteRuns: RemoteRunPoller;
  sessionAccess: Pick<SessionAccess, 'assertMay' | 'isInUse'>;
  nodeBus: Pick<NodeBus, 'publish'>;
}

/** A request to accept. `begun`: the run, when its first model call was sent already. */
type Acceptance<T> = { admission: T; begun: BegunRun | undefined };

export const DRAIN_MS = 20_000;
const ACTIVE = ['running', 'waiting'] as const;

export class AgentExecutor {
  private isDraining = false;
  /** Aborts when this process stops and so will not end any more runs. */
  private readonly stopped = new AbortController();

  constructor(private readonly deps: AgentExecutorDeps) {}

  /**
   * Accepts a run. Session, message and run are durable when this resolves, and nothing is stored when it rejects: `not_found` (session,
   * agent), `forbidden` (a person who only reads the session), `session_busy`, `rate_limited` (too many queued runs or steering messages), `idempotency_mismatch`, `clarification_closed`,
   * `draining`, `not_accepting`, `store_unavailable`. `beforeStart` is called only when the run starts at once.
   */
  async start(asked: StartRequest, beforeStart?: BeforeStart): Promise<AcceptedRun> {
    this.assertAccepting();
    // Without people nothing is waited for.
    if (this.deps.sessionAccess.isInUse) await this.assertMayDrive(asked);
    const request = isGuestName(asked.keyName) ? withGuestTools(asked) : asked;
    await this.deps.preparation.prepareRequest(request);
    const interrupt = request.onBusy === 'interrupt' ? { actor: request, cancel: () => this.interrupt(request) } : undefined;
    const accepted = await this.accept(this.deps.runLimiter.startLock(request), (_tx, admit) => admit(request), interrupt);
    // Retries of OpenAI clients carry no idempotency key; `retry` marks a key that the door made from the fingerprint of the request.
    const hasKey = request.idempotency && !request.idempotency.retry;
    if (hasKey) this.deps.observer.note({ type: 'idempotent_request', result: accepted.admission.deduplicated ? 'replayed' : 'new' });
    return this.launch(accepted, beforeStart);
  }

  /**
   * Like `start`, for a request that `work` makes in a transaction of its own: the other writes of `work` are durable together with the run. Resolves
   * undefined, and starts nothing, when `work` resolves undefined. Rejects also as `work` does. `asks`: what is known of the request before; `work`
   * must not start a run in another existing session.
   */
  async startWithin(asks: LockedRequest, work: AdmissionWork<Admission | undefined>): Promise<AcceptedRun | undefined> {
    this.assertAccepting();
    const { admission, begun } = await this.accept(this.deps.runLimiter.startLock(asks), work);
    return admission && this.launch({ admission, begun });
  }

  /** Whoever answers a question starts the run that goes on with the answer; the run may count for another, who has left the session. */
  private async assertMayDrive(request: StartRequest): Promise<void> {
    const { tenantId, keyName, writtenBy, sessionId, answers } = request;
    if (isGuestName(keyName)) assertGuestMayStart(request);
    if (sessionId === undefined || keyName === undefined || writtenBy !== undefined) return;
    await this.deps.sessionAccess.assertMay({ tenantId, keyName }, sessionId, answers === undefined ? 'drive' : 'answer');
  }

  private assertAccepting(): void {
    if (this.isDraining) throw new AppError('draining', { retryAfterMs: 5_000 });
  }

  private async launch({ admission, begun }: Acceptance<Admission>, beforeStart?: BeforeStart): Promise<AcceptedRun> {
    const { claimed, run, deduplicated, steered = false } = admission;
    const reachedStart = reachStartFailpoints(this.deps, claimed, begun);
    if (reachedStart) await reachedStart;
    if (claimed) {
      try {
        await beforeStart?.(claimed.run);
      } finally {
        // The run is stored, so it starts although `beforeStart` failed or its client has left.
        this.deps.supervisor.launch(claimed, begun);
      }
    }
    const reachedEnd = this.deps.failpoints.reach('before_ack');
    if (reachedEnd) await reachedEnd;
    return { run: claimed?.run ?? run, deduplicated, steered };
  }

  private async accept<T extends Admission | undefined>(
    lock: Lock,
    work: AdmissionWork<T>,
    interrupt?: Interruption,
  ): Promise<Acceptance<T>> {
    const { store, admission, execution, supervisor, capacity } = this.deps;
    const reservation = capacity.reserve();
    let accepted: T | undefined;
    let begun: BegunRun | undefined;
    let isStored = false;
    let isOver = false;
    try {
      if (interrupt) {
        reservation.assertCanRunOrWait(interrupt.actor);
        admission.assertAccepting(interrupt.actor);
        await interrupt.cancel();
      }
      accepted = await store.transaction(lock, async tx => {
        let early: EarlyReading | undefined;
        const admitted = await work(tx, request => {
          if (reservation.hasSlot) early = execution.readEarly(request, tx);
          return admission.acceptRun(tx, request, reservation);
        });
        if (!admitted?.claimed || admitted.startsAfterCommit) return admitted;
        begun = await supervisor.beginRun(admitted.claimed, tx, early);
        // The store waits only so long for a work, and the run was refused then.
        if (isOver) begun?.discard();
        await letCallLeave(this.deps.failpoints);
        return admitted;
      });
      isStored = true;
      if (accepted?.steered) this.deps.steering.tellRun(accepted.run.id);
      return { admission: accepted, begun };
    } finally {
      isOver = true;
      if (!isStored) begun?.discard();
      reservation.release(accepted);
      if (accepted?.isNext) this.queueNext(accepted.run, reservation);
      supervisor.fillSlots();
    }
  }

  /** Queues the session of a run that waits only for a slot. Another gateway may have a free one. */
  private queueNext({ tenantId, keyName, sessionId, ordinal }: RunRecord, { hasSlot }: RunReservation): void {
    const session: QueuedSession = { tenantId, keyName, sessionId };
    this.deps.supervisor.queueSession(session);
    if (!hasSlot) this.deps.nodeBus.publish('queue', { ...session, hasHome: ordinal > 1 } satisfies QueueMessage);
  }

  /**
   * Sends a message into an active run, or starts the next run with it when the run has ended. Resolves with the run that got the message. Rejects
   * `not_found`, `rate_limited`, and like `start`.
   */
  async steer(tenantId: string, runId: string, message: SteeringRequest, once = new OncePerKey()): Promise<RunRecord> {
    const { store, clock } = this.deps;
    const run = await this.find(tenantId, runId);
    let isTaken = false;
    const lock = this.deps.runLimiter.startLock({ ...run, idempotency: once.request });
    await store.transaction(lock, tx =>
      once.makeOnce(tx, { tenantId, now: clock.now() }, async () => {
        const latest = await tx.runs.get(tenantId, runId);
        if (!latest || isTerminal(latest.status)) return undefined;
        await this.deps.steering.addMessage(tx, latest, message);
        await message.alsoWrite?.(tx, latest);
        isTaken = true;
        return runId;
      }),
    );
    if (isTaken) {
      this.deps.steering.tellRun(runId);
      return run;
    }
    if (once.replayedId !== undefined) return this.find(tenantId, once.replayedId);
    const { text, ...more } = message;
    return (await this.start({ ...this.deps.admission.followUpOf(run, text), ...more, idempotency: once.request })).run;
  }

  /**
   * Cancels a run and resolves with the run once it is terminal; its status can also be another than `cancelled`. The cancel is stored first, so that
   * it survives a crash. `by`: who cancels; absent for the gateway itself. Rejects `not_found`, `store_unavailable`.
   */
  async cancel(tenantId: string, runId: string, by?: Canceller): Promise<RunRecord> {
    const run = await this.find(tenantId, runId);
    if (isTerminal(run.status)) return run;
    if (run.status === 'queued' && (await cancelQueuedRun(this.deps, run, by))) {
      await this.deps.supervisor.startNextRun(run);
      return this.find(tenantId, runId);
    }
    const cancelledBy = run.cancelRequested ? run.cancelledBy : by && shownWriter(by.keyName);
    await this.deps.store.transaction('none', async tx => {
      const isActive = await tx.runs.update(tenantId, runId, { from: ACTIVE }, { cancelRequested: true, cancelledBy });
      if (isActive && by && !run.cancelRequested) await this.deps.auditLog.record(cancelEntry(run, by), tx);
    });
    if (!this.deps.supervisor.cancelRun(runId, cancelledBy)) this.deps.nodeBus.publish('requests', {});
    return this.waitForEnd(tenantId, runId);
  }

  /** Stops one tool call; the run continues with an error result for it. Rejects `not_found` when no such call is running. */
  async cancelToolCall(by: Actor, runId: string, toolCallId: string): Promise<RunRecord> {
    const run = await this.find(by.tenantId, runId);
    if (this.deps.supervisor.stopToolCall(runId, toolCallId) || (await stopRemoteToolCall(this.deps, run, toolCallId))) {
      await this.deps.auditLog.record({ ...byActor(by), action: 'tool_call.cancel', target: toolCallId, details: { runId } });
      return run;
    }
    throw noToolCall();
  }

  /** Cancels every active and queued run of a session, newest first, so that no queued run starts in between. */
  async cancelSession(tenantId: string, sessionId: string): Promise<void> {
    const { read } = this.deps.store;
    // Repeat until no run is left: the end of a run can queue its late steering messages.
    for (let isMore = true; isMore; ) {
      const active = await read.runs.active(tenantId, sessionId);
      const after = await read.runs.after(tenantId, sessionId, active?.ordinal ?? 0);
      const queued = after.filter(run => !isTerminal(run.status)).reverse();
      for (const run of active ? [...queued, active] : queued) await this.cancel(tenantId, run.id);
      isMore = active !== undefined || queued.length > 0;
    }
  }

  /**
   * Resolves with the run once it is terminal, in this process or in another. Rejects `draining` when this process stops first; the next
   * process then continues the run. Resolves with the run as it is when the signal aborts, and when it waits for an approval and `leavesWaiting` returns true.
   */
  async waitForEnd(tenantId: string, runId: string, patience?: AbortSignal, leavesWaiting?: () => boolean): Promise<RunRecord> {
    const run = await this.find(tenantId, runId);
    if (isTerminal(run.status)) return run;
    await waitForEnd(this.deps, run, { stopped: this.stopped.signal, patience, leavesWaiting });
    return this.find(tenantId, runId);
  }

  /** Returns the model and the parameters for a run that continues `run`. */
  choicesOf(run: RunRecord): Pick<StartRequest, 'model' | 'parameters'> {
    return this.deps.admission.choicesOf(run);
  }

  /** Recovers the runs of earlier processes. Call it once, before the doors open. */
  recover(): Promise<void> {
    return this.deps.supervisor.start();
  }

  /** Refuses new runs from now on. */
  drain(): void {
    this.isDraining = true;
  }

  /** Waits up to 20 s for the active runs to end and leaves the rest to the next process. Never rejects. */
  async stop(): Promise<void> {
    this.drain();
    await this.deps.supervisor.stop(DRAIN_MS);
    this.stopped.abort();
  }

  /** Ends the drain of `stop` at once. */
  cutDrain(): void {
    this.deps.supervisor.cutDrain();
  }

  get draining(): boolean {
    return this.isDraining;
  }

  /** Cancels the active run of the session. A repeated request cancels nothing, because the active run may be its own. */
  private async interrupt(request: StartRequest): Promise<void> {
    const { read } = this.deps.store;
    const { tenantId, sessionId } = request;
    this.deps.admission.assertChoicesExist(request);
    if (sessionId === undefined || (await this.deps.admission.findEarlier(read, request))) return;
    const active = await read.runs.active(tenantId, sessionId);
    const keyName = writerOf(request);
    if (active) await this.cancel(tenantId, active.id, keyName === undefined ? undefined : { tenantId, keyName });
  }

  private async find(tenantId: string, runId: string): Promise<RunRecord> {
    const run = await this.deps.store.read.runs.get(tenantId, runId);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.', messageZh: '没有这个运行。' });
    return run;
  }
}
