/** Admits runs to a session and claims the next one for execution. Every method works in a transaction of the caller. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Failpoints } from '../../port/failpoints';
import { toFileReference, toReference, toShownFile } from '../../port/image_input';
import type { InstanceId } from '../../port/instance_id';
import type { Observer } from '../../port/observer';
import type { MessageRecord } from '../../port/store/messages';
import { WITH_NODE_LEASE } from '../../port/store/node_leases';
import type { RunRecord } from '../../port/store/runs';
import type { Locale, SessionRecord } from '../../port/store/sessions';
import type { SteeringMessage } from '../../port/store/steering_messages';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import type { Slot } from '../../utils/slot';
import { accessLike, type SessionAccess } from '../access/session_access';
import type { RunToolChoice } from '../agent/tool_choice';
import type { VisibleAgents } from '../agent/visible_agents';
import type { Switches } from '../limits/switches';
import type { ModelCatalog } from '../model/model_catalog';
import { isEmpty, mergeParameters } from '../model/model_parameters';
import type { QuestionService } from '../question/question_service';
import { toObservedRun } from '../run_log/observed_run';
import { numberEvent } from '../run_log/run_entry';
import { newSession, noSession } from '../session/session_service';
import { titleFrom } from '../session/session_title';
import type { RunWebhooks } from '../webhook/run_webhooks';
import { findEarlierRun, storeRunKey } from './earlier_run';
import { assertCallsOpen, type FirstMessages, insertFirstMessages } from './given_messages';
import { limitsOf } from './limits_of_run';
import { type NewRun, type PriceDeps, priceOfRun } from './price_of_run';
import type { RunReservation } from './run_capacity';
import { queueIsFull, sessionIsMade, toolsCannotSteer } from './run_errors';
import { startDataOf } from './run_start_data';
import {
  type Admission,
  answersQuestions,
  type ChildRequest,
  type Claimed,
  isBoundToCaller,
  type RunStart,
  type StartRequest,
} from './start_request';
import { seenActive } from './start_steps';
import type { SteeringService } from './steering_service';

export interface RunAdmissionDeps extends PriceDeps {
  clock: Clock;
  ids: IdSource;
  models: ModelCatalog;
  identity: InstanceId;
  visibleAgents: Pick<VisibleAgents, 'assertAgentExists'>;
  toolChoice: Slot<RunToolChoice>;
  questionService: QuestionService;
  steering: SteeringService;
  observer: Observer;
  failpoints: Failpoints;
  switches: Pick<Switches, 'refusalOf'>;
  runWebhooks: Slot<RunWebhooks>;
  defaultLocale: Locale;
  sessionAccess: Pick<SessionAccess, 'noteNew'>;
}

const MAX_QUEUED_RUNS = 32;

export class RunAdmission {
  constructor(private readonly deps: RunAdmissionDeps) {}

  /** Throws `not_found` for an agent or a model that does not exist for the one for whom the run counts, and `invalid_request` for a tool. */
  assertChoicesExist(request: StartRequest): void {
    const { agent, model, limits, answers, door } = request;
    if (agent !== undefined && !request.keepsAgent) this.deps.visibleAgents.assertAgentExists(agent, request);
    if (model !== undefined) this.deps.models.assertModelExists(model);
    // A run that goes on after a question, and that of a job, have the limits of an earlier run, whose tools may be gone since.
    if (limits?.tools && answers === undefined && door !== 'job') this.deps.agents.assertToolsExist(limits.tools);
  }

  /** Throws `not_accepting` while an operator has paused new runs of the tenant. */
  assertAccepting({ tenantId }: Pick<StartRequest, 'tenantId'>): void {
    const refusal = this.deps.switches.refusalOf(tenantId);
    if (refusal) throw refusal;
  }

  /** Returns the model and the parameters for a run that continues `run`. A model that the operator has removed is left out. */
  choicesOf({ model, parameters }: RunRecord): Pick<StartRequest, 'model' | 'parameters'> {
    return { ...this.existing(model), parameters };
  }

  private existing(model: string | undefined): { model?: string } {
    return model !== undefined && this.deps.models.has(model) ? { model } : {};
  }

  /** Admits a request. Rejects as AgentExecutor.start documents, except `draining`; the transaction must then be rolled back. */
  async acceptRun(tx: StoreTransaction, request: StartRequest, reservation: RunReservation): Promise<Admission> {
    const earlier = await this.findEarlier(tx, request);
    if (earlier) return { run: earlier, deduplicated: true };
    this.assertChoicesExist(request);
    const { questionService, failpoints } = this.deps;
    // Together: each of them would be one more round trip.
    const [{ session, ordinal }, unfinished, questions] = await Promise.all([
      this.openSession(tx, request),
      request.sessionId === undefined ? [] : tx.runs.unfinishedOf(request.tenantId, request.sessionId),
      answersQuestions(request) ? questionService.openTextQuestions(tx, request) : [],
    ]);
    await assertCallsOpen(tx, request.tenantId, request.given);
    const running = unfinished.find(run => run.status !== 'queued');
    const active = await seenActive(failpoints, running);
    if (active && request.onBusy === 'reject') throw new AppError('session_busy', { retryAfterMs: 1_000 });
    if (active && request.onBusy === 'steer') return this.steer(tx, active.id, request);
    this.assertAccepting(request);
    const queued = unfinished.filter(run => run.status === 'queued').length;
    if (queued >= MAX_QUEUED_RUNS) throw queueIsFull(MAX_QUEUED_RUNS);
    const isNext = !active && queued === 0;
    const asked = this.newRun(request, session);
    const price = this.deps.runLimiter.asksPrice(request) ? await priceOfRun(this.deps, tx, asked, request) : {};
    const mustWait = await this.deps.runLimiter.admitRun(tx, request, price);
    const startsNow = isNext && reservation.hasSlot && !mustWait;
    if (!startsNow) {
      await this.deps.runLimiter.assertRoomInQueue(tx, request);
      reservation.joinQueue(request);
    }
    // The caller of such a request waits at this process.
    const caller = isBoundToCaller(request) ? { callerAt: this.deps.identity.self, callerUntil: WITH_NODE_LEASE } : {};
    const newRun = { ...asked, ...price, ...caller, ordinal };
    const start = startsNow ? await this.startOf(tx, newRun) : undefined;
    const { run, first } = await this.insertRun(tx, newRun, session, { ...request, start });
    await storeRunKey(tx, request, run.id, this.deps.clock.now());
    await request.alsoWrite?.(tx, run);
    if (answersQuestions(request)) {
      const { text, answers: requestId, writtenBy: keyName = request.keyName } = request;
      await questionService.answerByMessage(tx, run, { text, keyName, requestId, open: questions });
    }
    if (!start) return { run, deduplicated: false, isNext };
    const startsAfterCommit = request.images !== undefined || request.files !== undefined || price.priceQuestion !== undefined;
    return { run, deduplicated: false, claimed: { run, event: start.event, session, first }, startsAfterCommit };
  }

  /** Starts a child run in a session of its own. The caller holds a slot for it. */
  async acceptChild(tx: StoreTransaction, { runId, sessionId, parent, ...request }: ChildRequest): Promise<Claimed> {
    const { tenantId, text, agent, locale } = request;
    const now = this.deps.clock.now();
    const ofParent = { parentSessionId: parent.sessionId, parentRunId: parent.runId };
    const { thinkingLevel = 'off' as const, temporary, ...access } = (await tx.sessions.get(tenantId, parent.sessionId)) ?? {};
    const fresh = newSession({ tenantId, id: sessionId, title: titleFrom(text), agent, locale, now });
    const session = { ...fresh, ...ofParent, ...accessLike(access), thinkingLevel, temporary };
    await tx.sessions.insert(session);
    this.deps.sessionAccess.noteNew(session);
    const newRun = { ...this.newRun({ ...request, door: 'child', onBusy: 'reject' }, session), id: runId, parent };
    const start = await this.startOf(tx, newRun);
    return { run: (await this.insertRun(tx, newRun, session, { start })).run, event: start.event };
  }

  /** Finds the run that an earlier request with the same key started. Rejects `idempotency_mismatch` when the fingerprints differ. */
  findEarlier(read: StoreReader, request: StartRequest): Promise<RunRecord | undefined> {
    return findEarlierRun(read, request, this.deps.clock.now());
  }

  /** Makes a queued run the active one of its session and stores its first event. */
  private async claimRun(tx: StoreTransaction, run: RunRecord): Promise<Claimed> {
    const { patch, event } = await this.startOf(tx, run);
    await tx.runs.update(run.tenantId, run.id, { from: ['queued'] }, patch);
    await tx.events.append(run, [event]);
    return { run: { ...run, ...patch, lastSeq: event.seq }, event };
  }

  /** The change that makes a queued run the active one of its session, and the event that says so. */
  private async startOf(tx: StoreTransaction, run: NewRun): Promise<RunStart> {
    const { clock, models, identity, agents, toolChoice, observer } = this.deps;
    const choice = observer.begin('tool_choice', { run: toObservedRun(run) });
    const { profile, tools } = await toolChoice.current.startRun(tx, run, agents.agentFor(run));
    choice.end({ tools: tools.names.length });
    const now = clock.now();
    const event = numberEvent(run, run.lastSeq + 1, now, {
      type: 'run_start',
      data: startDataOf(run, {
        model: models.shownName(run.model ?? profile.model),
        demo: models.info.demo || undefined,
        tools: [...tools.names],
      }),
    });
    return { patch: { status: 'running', startedAt: now, owner: identity.self, leaseUntil: WITH_NODE_LEASE }, event };
  }

  /**
   * Claims the next queued run of a session. Resolves with undefined when the session has an active run or an empty queue, and with `held` when the
   * key or the tenant executes as many runs as its limit allows.
   */
  async claimNextRun(tx: StoreTransaction, tenantId: string, sessionId: string): Promise<Claimed | 'held' | undefined> {
    if (await seenActive(this.deps.failpoints, await tx.runs.active(tenantId, sessionId))) return undefined;
    const next = await tx.runs.nextQueued(tenantId, sessionId);
    if (next && (await this.deps.runLimiter.isAtLimit(tx, next))) return 'held';
    return next && this.claimRun(tx, next);
  }

  /**
   * Queues `messages`, the steering messages that `run` did not take, each as a run of its own with the webhooks of `run`. Call it in the transaction that ends the run. Resolves
   * with the number of queued runs; after the commit the caller counts them with RunCapacity.joinQueue, because a transaction can be repeated.
   */
  async queueLateMessages(tx: StoreTransaction, run: RunRecord, messages: readonly SteeringMessage[]): Promise<number> {
    const { tenantId, sessionId } = run;
    if (messages.length === 0) return 0;
    for (const { text, images, files: storedFiles, metadata, writtenBy } of messages) {
      const session = await tx.sessions.get(tenantId, sessionId);
      if (!session) continue;
      const late = this.newRun({ ...this.followUpOf(run, text), metadata, writtenBy }, session);
      const { run: next } = await this.insertRun(tx, { ...late, images, files: storedFiles?.map(toShownFile) }, session, { storedFiles });
      await this.deps.runWebhooks.current.passOn(tx, run, next.id);
    }
    const ids = messages.map(({ id }) => id);
    await tx.steeringMessages.take(tenantId, ids, this.deps.clock.now());
    return messages.length;
  }

  /** Returns the request for a text that goes on after `run`, with its agent, locale, limits, model and parameters. */
  followUpOf(run: RunRecord, text: string): StartRequest {
    const { tenantId, keyName, sessionId, door, agent, locale, interaction, limits, trace, outputSchema } = run;
    const same = { tenantId, keyName, sessionId, door, agent, keepsAgent: true as const, locale, interaction, limits, trace, outputSchema };
    return { ...same, text, onBusy: 'enqueue', ...this.choicesOf(run) };
  }

  private async steer(tx: StoreTransaction, activeId: string, request: StartRequest): Promise<Admission> {
    if (request.limits?.tools) throw toolsCannotSteer();
    const active = await tx.runs.get(request.tenantId, activeId);
    if (!active) throw new Error('The active run of a session is gone.');
    await this.deps.steering.addMessage(tx, active, { ...request, writtenBy: request.keyName }, request);
    await storeRunKey(tx, request, active.id, this.deps.clock.now());
    return { run: active, deduplicated: false, steered: true };
  }

  /** `ordinal`: that of the next run. */
  private async openSession(tx: StoreTransaction, request: StartRequest): Promise<{ session: SessionRecord; ordinal: number }> {
    const { tenantId, sessionId, text, agent = 'default', locale = this.deps.defaultLocale, newSession: given } = request;
    const now = this.deps.clock.now();
    if (sessionId === undefined) {
      if (given?.id !== undefined && (await tx.sessions.get(tenantId, given.id))) throw sessionIsMade();
      const id = given?.id ?? this.deps.ids.next('ses');
      const session = { ...newSession({ tenantId, id, title: titleFrom(text), agent, locale, now, by: request.keyName }), ...given };
      await tx.sessions.insert(session);
      this.deps.sessionAccess.noteNew(session);
      return { session, ordinal: 1 };
    }
    const touched = await tx.sessions.touch(tenantId, sessionId, now);
    if (!touched) throw noSession();
    const { session, lastOrdinal } = touched;
    if (session.title === '') await tx.sessions.update(tenantId, sessionId, { title: titleFrom(text) });
    return { session, ordinal: lastOrdinal + 1 };
  }

  private newRun(request: StartRequest, session: SessionRecord): NewRun {
    const { clock, ids } = this.deps;
    const { tenantId, agent = session.agent, model = this.existing(session.model).model } = request;
    const parameters = mergeParameters(session.parameters, request.parameters);
    return {
      tenantId,
      id: ids.next('run'),
      sessionId: session.id,
      status: 'queued',
      door: request.door,
      agent,
      locale: request.locale ?? session.locale,
      input: request.text,
      images: request.images?.map(toReference),
      files: request.files?.map(toFileReference).map(toShownFile),
      interaction: request.interaction,
      limits: limitsOf(this.deps, { ...request, agent }, session),
      keyName: request.keyName,
      writtenBy: request.writtenBy === request.keyName ? undefined : request.writtenBy,
      model,
      parameters: isEmpty(parameters) ? undefined : parameters,
      outputSchema: request.outputSchema,
      metadata: request.metadata,
      caller: request.caller,
      trace: request.trace,
      requestId: request.requestId,
      lastSeq: 0,
      epoch: 1,
      recoveries: 0,
      cancelRequested: false,
      createdAt: clock.now(),
    };
  }

  /** Inserts a run and its input as the first message. `start`: the run starts now; without it the run is queued. */
  private async insertRun(
    tx: StoreTransaction,
    newRun: NewRun & { ordinal?: number },
    session: SessionRecord,
    { start, ...given }: FirstMessages & { start?: RunStart } = {},
  ): Promise<{ run: RunRecord; first: MessageRecord[] }> {
    const run = start
      ? await tx.runs.insert({ ...newRun, ...start.patch, lastSeq: start.event.seq }, [start.event])
      : await tx.runs.insert(newRun);
    const time = this.deps.agents.sentTime(run.locale, run.createdAt, session.createdAt);
    return { run, first: await insertFirstMessages(tx, this.deps.ids, run, { ...given, time: time ?? given?.time }) };
  }
}
