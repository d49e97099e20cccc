/**
 * THE executor: every run, from every door, starts here. It accepts (stored before acknowledged), keeps the runs of a session in order,
 * one at a time, and starts, cancels and recovers them. It knows no protocol.
 */
import { AppError } from '../errors';
import { type Door, isTerminal, type RunEvent, type RunStatus } from '../port/run_event';
import type { StoreReader, StoreTransaction } from '../port/store';
import type { Interaction, Locale, RunLimits, RunRecord, SessionRecord } from '../port/store_records';
import type { AgentAssembly } from './agent_assembly';
import type { AgentProfiles } from './agent_profiles';
import type { ClarificationService } from './clarification_service';
import { type ExecutionPorts, RunCancelled, type RunExecution, recordEnding, toRunError } from './run_execution';
import { numberEvent, RunWriter } from './run_log';
import { newSession } from './session_service';

export interface StartRequest {
  tenantId: string;
  door: Door;
  text: string;
  /** Absent: a new session. */
  sessionId?: string;
  agent?: string;
  locale?: Locale;
  /** The open question, handed over as text before, that `text` answers. */
  answers?: string;
  /** What to do while another run of the session is under way. */
  onBusy: 'enqueue' | 'reject' | 'interrupt';
  interaction: Interaction;
  limits?: RunLimits;
  metadata?: Record<string, unknown>;
  /** The same key with the same fingerprint of the request gives the same run. */
  idempotency?: { key: string; fingerprint: string };
}

export interface AcceptedRun {
  run: RunRecord;
  /** The run was started by an earlier request with the same key. */
  deduplicated: boolean;
}

export interface ExecutorParts {
  ports: ExecutionPorts;
  profiles: AgentProfiles;
  assembly: AgentAssembly;
  execution: RunExecution;
  clarifications: ClarificationService;
  defaultLocale: Locale;
  onError: (message: string, error: unknown) => void;
}

interface ActiveRun {
  controller: AbortController;
  done: Promise<void>;
}

interface Claimed {
  run: RunRecord;
  event: RunEvent;
}

const MAX_QUEUED_RUNS = 32;
const UNFINISHED: readonly RunStatus[] = ['queued', 'running', 'waiting'];

export class AgentExecutor {
  private readonly active = new Map<string, ActiveRun>();
  private isDraining = false;

  constructor(private readonly parts: ExecutorParts) {}

  /**
   * Accepts a run: session, message and run are durable when this resolves. Rejects `not_found` (session, agent), `session_busy`,
   * `rate_limited` (queue full), `idempotency_mismatch`, `draining`, `store_unavailable`; then nothing was stored.
   */
  async start(request: StartRequest): Promise<AcceptedRun> {
    if (this.isDraining) throw new AppError('draining', { retryAfterMs: 5_000 });
    if (request.onBusy === 'interrupt') await this.interrupt(request);
    const accepted = await this.parts.ports.store.transaction(tx => this.accept(tx, request));
    if (accepted.claimed) this.launch(accepted.claimed);
    return { run: accepted.claimed?.run ?? accepted.run, deduplicated: accepted.deduplicated };
  }

  /** Cancels and resolves with the run once it is terminal, whatever its status then is. Rejects `not_found`. */
  async cancel(tenantId: string, runId: string): Promise<RunRecord> {
    const run = await this.find(tenantId, runId);
    if (isTerminal(run.status)) return run;
    if (run.status === 'queued' && (await this.cancelQueued(run))) return this.find(tenantId, runId);
    this.active.get(runId)?.controller.abort(new RunCancelled());
    return this.waitForEnd(tenantId, runId);
  }

  /** Cancels everything that runs or waits in a session, the newest first so that nothing moves up. */
  async cancelSession(tenantId: string, sessionId: string): Promise<void> {
    const { read } = this.parts.ports.store;
    const active = await read.activeRun(tenantId, sessionId);
    const waiting = await read.runsAfter(tenantId, sessionId, active?.ordinal ?? 0);
    for (const run of [...waiting].reverse()) await this.cancel(tenantId, run.id);
    if (active) await this.cancel(tenantId, active.id);
  }

  /** Resolves with the run once it is terminal. */
  async waitForEnd(tenantId: string, runId: string): Promise<RunRecord> {
    const { store, bus } = this.parts.ports;
    const run = await this.find(tenantId, runId);
    if (isTerminal(run.status)) return run;
    let onEnd = () => {};
    const ended = new Promise<void>(resolve => {
      onEnd = resolve;
    });
    const subscription = await bus.subscribe(run.sessionId, event => {
      if (event.runId === runId && event.type === 'run_end') onEnd();
    });
    try {
      const latest = (await store.read.getRun(tenantId, runId)) ?? run;
      if (!isTerminal(latest.status)) await ended;
      return this.find(tenantId, runId);
    } finally {
      subscription.stop();
    }
  }

  /** Ends what an earlier process left unfinished and starts what still waits. Called once, before the doors open. */
  async recover(): Promise<void> {
    const unfinished = await this.parts.ports.store.read.unfinishedRuns();
    for (const run of unfinished) if (run.status !== 'queued') await this.endInterrupted(run);
    const sessions = new Map(unfinished.map(run => [run.sessionId, run.tenantId]));
    for (const [sessionId, tenantId] of sessions) await this.advance(tenantId, sessionId);
  }

  /** Takes no more runs, and ends the running ones as `interrupted`. Resolves when their ends are stored. */
  async stop(): Promise<void> {
    this.isDraining = true;
    for (const { controller } of this.active.values()) controller.abort(new AppError('interrupted'));
    await Promise.all([...this.active.values()].map(run => run.done));
  }

  /** Runs that execute in this process now. */
  get activeCount(): number {
    return this.active.size;
  }

  get draining(): boolean {
    return this.isDraining;
  }

  private async accept(tx: StoreTransaction, request: StartRequest): Promise<{ run: RunRecord; claimed?: Claimed; deduplicated: boolean }> {
    const earlier = await this.findEarlier(tx, request);
    if (earlier) return { run: earlier, deduplicated: true };
    const session = await this.openSession(tx, request);
    const run = await this.insertRun(tx, request, session);
    await this.parts.clarifications.answerByMessage(tx, run, { answer: request.text, requestId: request.answers });
    const queued = await tx.countQueuedRuns(run.tenantId, run.sessionId);
    const isBusy = queued > 1 || (await tx.activeRun(run.tenantId, run.sessionId)) !== undefined;
    if (!isBusy) return { run, claimed: await this.claim(tx, run), deduplicated: false };
    if (request.onBusy === 'reject') throw new AppError('session_busy');
    if (queued > MAX_QUEUED_RUNS) {
      throw new AppError('rate_limited', { message: `At most ${MAX_QUEUED_RUNS} messages may wait in a session.`, retryAfterMs: 5_000 });
    }
    return { run, deduplicated: false };
  }

  private async findEarlier(store: StoreReader, { tenantId, idempotency }: StartRequest): Promise<RunRecord | undefined> {
    const known = idempotency && (await store.getIdempotencyKey(tenantId, idempotency.key));
    if (!known) return undefined;
    if (known.fingerprint !== idempotency.fingerprint) throw new AppError('idempotency_mismatch');
    return store.getRun(tenantId, known.runId);
  }

  private async openSession(tx: StoreTransaction, request: StartRequest): Promise<SessionRecord> {
    const { tenantId, sessionId, text, agent, locale } = request;
    const now = this.parts.ports.clock.now();
    if (sessionId === undefined) {
      const session = newSession({
        tenantId,
        id: this.parts.ports.ids.next('ses'),
        title: titleOf(text),
        agent: this.knownAgent(agent ?? 'default'),
        locale: locale ?? this.parts.defaultLocale,
        now,
      });
      await tx.insertSession(session);
      return session;
    }
    const session = await tx.getSession(tenantId, sessionId);
    if (!session) throw new AppError('not_found', { param: '/sessionId', message: 'There is no such session.' });
    await tx.updateSession(tenantId, sessionId, { updatedAt: now, ...(session.title === '' && { title: titleOf(text) }) });
    return session;
  }

  private async insertRun(tx: StoreTransaction, request: StartRequest, session: SessionRecord): Promise<RunRecord> {
    const { clock, ids } = this.parts.ports;
    const { tenantId, idempotency } = request;
    const now = clock.now();
    const run = await tx.insertRun({
      tenantId,
      id: ids.next('run'),
      sessionId: session.id,
      status: 'queued',
      door: request.door,
      agent: this.knownAgent(request.agent ?? session.agent),
      locale: request.locale ?? session.locale,
      input: request.text,
      interaction: request.interaction,
      limits: request.limits ?? {},
      ...(request.metadata && { metadata: request.metadata }),
      lastSeq: 0,
      epoch: 1,
      cancelRequested: false,
      createdAt: now,
    });
    const message = { role: 'user' as const, content: request.text };
    const place = { sessionId: run.sessionId, runId: run.id, runOrdinal: run.ordinal, position: 0 };
    await tx.insertMessages([{ tenantId, id: ids.next('msg'), ...place, message, createdAt: now }]);
    if (idempotency) await tx.insertIdempotencyKey({ tenantId, ...idempotency, runId: run.id, createdAt: now });
    return run;
  }

  /** Makes a queued run the running one of its session, with its first event. */
  private async claim(tx: StoreTransaction, run: RunRecord): Promise<Claimed> {
    const { clock, llm } = this.parts.ports;
    const { profile, tools } = this.agentOf(run);
    const now = clock.now();
    const event = numberEvent(run, run.lastSeq + 1, now, {
      type: 'run_start',
      data: {
        door: run.door,
        agent: run.agent,
        model: profile.model ?? llm.info.model,
        ...(llm.info.demo && { demo: true as const }),
        tools: [...tools.names],
        input: run.input,
      },
    });
    await tx.updateRun(run.tenantId, run.id, { from: ['queued'] }, { status: 'running', startedAt: now });
    await tx.appendEvents(run, [event]);
    return { run: { ...run, status: 'running', startedAt: now, lastSeq: event.seq }, event };
  }

  private launch({ run, event }: Claimed): void {
    this.parts.ports.bus.publish([event]);
    this.parts.ports.bus.settle(run.sessionId, run.id, event.seq);
    const controller = new AbortController();
    const done = this.parts.execution
      .execute(run, this.agentOf(run), controller)
      .then(() => this.active.delete(run.id))
      .then(() => this.advance(run.tenantId, run.sessionId))
      .catch(thrown => this.parts.onError(`after run ${run.id}`, thrown));
    this.active.set(run.id, { controller, done });
  }

  /** Starts the next queued run of a session that has none running. */
  private async advance(tenantId: string, sessionId: string): Promise<void> {
    if (this.isDraining) return;
    const claimed = await this.parts.ports.store.transaction(async tx => {
      if (await tx.activeRun(tenantId, sessionId)) return undefined;
      const next = await tx.nextQueuedRun(tenantId, sessionId);
      return next && this.claim(tx, next);
    });
    if (claimed) this.launch(claimed);
  }

  /** A request that was sent before must not interrupt the run it started then; one that will be refused must not interrupt at all. */
  private async interrupt(request: StartRequest): Promise<void> {
    const { read } = this.parts.ports.store;
    const { tenantId, sessionId, agent } = request;
    if (sessionId === undefined || (await this.findEarlier(read, request))) return;
    if (agent !== undefined) this.knownAgent(agent);
    const active = await read.activeRun(tenantId, sessionId);
    if (active) await this.cancel(tenantId, active.id);
  }

  private async cancelQueued(run: RunRecord): Promise<boolean> {
    const { store, bus, clock } = this.parts.ports;
    const outcome = { text: '', usage: { inputTokens: 0, outputTokens: 0 } };
    const event = numberEvent(run, run.lastSeq + 1, clock.now(), { type: 'run_end', data: { status: 'cancelled', ...outcome } });
    const isCancelled = await store.transaction(async tx => {
      const patch = { status: 'cancelled' as const, outcome, endedAt: clock.now() };
      if (!(await tx.updateRun(run.tenantId, run.id, { from: ['queued'] }, patch))) return false;
      await tx.appendEvents(run, [event]);
      return true;
    });
    if (isCancelled) bus.publish([event]);
    if (isCancelled) bus.settle(run.sessionId, run.id, event.seq);
    return isCancelled;
  }

  private async endInterrupted(run: RunRecord): Promise<void> {
    const { store, clock } = this.parts.ports;
    const { tenantId, id: runId } = run;
    await store.transaction(async tx => {
      const now = clock.now();
      await tx.updateRun(tenantId, runId, { from: UNFINISHED }, { recoveredAtSeq: run.lastSeq });
      for (const question of (await tx.listClarifications(tenantId, { runId, status: 'pending' }, { limit: 100 })).data) {
        await tx.closeClarification(tenantId, question.id, { status: 'cancelled', closedAt: now });
      }
      for (const execution of (await tx.listToolExecutions(tenantId, { runId, status: 'running' }, { limit: 100 })).data) {
        await tx.finishToolExecution(tenantId, execution.id, { status: 'unknown', endedAt: now });
      }
    });
    const outcome = { text: '', usage: { inputTokens: 0, outputTokens: 0 }, error: toRunError(new AppError('interrupted')) };
    const writer = new RunWriter(this.parts.ports, run, Number.MAX_SAFE_INTEGER);
    await recordEnding(writer, run, { status: 'failed', outcome }, clock.now());
  }

  private async find(tenantId: string, runId: string): Promise<RunRecord> {
    const run = await this.parts.ports.store.read.getRun(tenantId, runId);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.' });
    return run;
  }

  private knownAgent(name: string): string {
    if (!this.parts.profiles.get(name)) throw new AppError('not_found', { param: '/agent', message: 'There is no such agent.' });
    return name;
  }

  private agentOf(run: RunRecord) {
    const profile = this.parts.profiles.get(run.agent) ?? this.parts.profiles.get('default');
    if (!profile) throw new AppError('internal', { message: 'No agent profile is loaded.' });
    return this.parts.assembly.of(profile, run.locale);
  }
}

/** First line of the first message, for lists. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, 60).join('');
}
