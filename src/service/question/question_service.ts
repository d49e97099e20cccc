/**
 * Questions to people: clarifications, which the agent asks, and approvals, which the gateway asks before a tool call. A question is a stored
 * record with an absolute deadline. Its status changes once, by compare-and-set, so the first answer wins from every door and process.
 */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Failpoints } from '../../port/failpoints';
import type { NodeBus } from '../../port/node_bus';
import type { Observer, WorkEnded } from '../../port/observer';
import { LOCAL_KEY_NAME } from '../../port/principal';
import type { Lock } from '../../port/store/lock';
import type { Page, PageRequest } from '../../port/store/page';
import type { GivenAnswer, QuestionFilter, QuestionKind, QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreReader, StoreTransaction } from '../../port/store/store';
import type { ClarifyOutcome } from '../../tools/question';
import { type AuditRecorder, byActor } from '../audit/audit_log';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunHooks } from '../run_log/run_hooks';
import { WriterClosed } from '../run_log/run_owner';
import type { RunWriter } from '../run_log/run_writer';
import { answerEntry, answerFrom, closedError, endEvent, givenAnswer, requestEvent, toObservedWait, toWaitEnd } from './question_events';
import type { QuestionResolvers, SessionKey } from './question_resolvers';
import { waitForAnswer } from './wait_for_answer';
import { type KnownQuestion, noteGoingOn, noteWaiting } from './waiting_run';

/** A message of a person that answers the open text questions of its session. */
export interface MessageAnswer {
  text: string;
  /** The key of the person. */
  keyName: string | undefined;
  /** The question that the message was sent to answer. Absent: any open one. */
  requestId: string | undefined;
  /** Ids that `openTextQuestions` has read in the same transaction. */
  open: readonly string[];
}

export interface QuestionPorts {
  store: Store;
  clock: Clock;
  ids: IdSource;
  failpoints: Failpoints;
  auditLog: AuditRecorder;
  hooks: Pick<RunHooks, 'waiting' | 'asked' | 'committed'>;
  observer: Observer;
  nodeBus: Pick<NodeBus, 'publish'>;
}

/** What the transaction of an answer writes beside the answer, and what it locks for that. */
export type AnswerWrites = { alsoWrite?: (tx: StoreTransaction) => Promise<void>; lock?: Lock };

/** Fields of a question that its asker chooses. `timeoutMs` counts from now. */
export type QuestionContent = Pick<QuestionRecord, 'kind' | 'mode' | 'question'> &
  Partial<Pick<QuestionRecord, 'toolCallId' | 'choices' | 'approval' | 'askedTo' | 'escalate'>> & { timeoutMs: number };

/** Page limits. An approval holds whole arguments, which can have 1 MiB. */
const MAX_PAGE: Record<QuestionKind, number> = { clarification: 1_000, approval: 20 };

export class QuestionService {
  constructor(
    private readonly ports: QuestionPorts,
    private readonly resolvers: QuestionResolvers,
  ) {}

  /** Creates a pending question without storing it. */
  newQuestion(run: RunRecord, { timeoutMs, ...content }: QuestionContent): QuestionRecord {
    const now = this.ports.clock.now();
    const { tenantId, sessionId, id: runId, parent, keyName, writtenBy = keyName } = run;
    const id = this.ports.ids.uuid();
    const ofChild = parent && { parentSessionId: parent.sessionId };
    const times = { createdAt: now, expiresAt: now + timeoutMs };
    const askedBy = writtenBy === LOCAL_KEY_NAME ? undefined : writtenBy;
    return { tenantId, id, sessionId, runId, ...ofChild, askedBy, ...content, status: 'pending', ...times };
  }

  /**
   * Stores the question with its event and waits; the run has the status `waiting` until its last question is answered, expired, or cancelled by
   * the signal. `stored`: the question was stored before the run was interrupted; it keeps its deadline, and an answer stored since then counts.
   */
  async askAndWait(
    run: RunRecord,
    writer: RunWriter,
    { question, stored, signal }: { question: QuestionRecord; stored: KnownQuestion['stored'] | undefined; signal: AbortSignal },
  ): Promise<ClarifyOutcome> {
    if (signal.aborted && !stored) {
      if (writer.isClosed) throw new WriterClosed();
      return { status: 'cancelled' };
    }
    const work = this.ports.observer.begin('wait', toObservedWait(run, question));
    let ended: WorkEnded['wait'] = { outcome: 'released' };
    const answered = this.resolvers.wait(question.id, question);
    try {
      if (!stored) {
        await writer.record(requestEvent(question), undefined, async tx => {
          await tx.questions.insert(question);
          await noteWaiting(tx, run, question, this.ports.hooks);
        });
        for (const tell of this.ports.hooks.committed) tell();
      }
      const answer = await waitForAnswer({ ...this.ports, resolvers: this.resolvers }, question, { answered, signal });
      // Leaves the question open for the process that continues the run.
      if (writer.isClosed) throw new WriterClosed();
      const outcome = await this.closeUnlessAnswered(question, answer, signal);
      ended = toWaitEnd(question, outcome);
      if (stored !== 'ended') await writer.record(endEvent(question, outcome), undefined, tx => noteGoingOn(tx, run));
      return outcome;
    } finally {
      this.resolvers.release(question.id);
      work.end(ended);
    }
  }

  /** Ends questions that a taken-over run does not ask again. `isLast`: the run waits for no other question and can go on. */
  async dropQuestions(
    run: RunRecord,
    writer: RunWriter,
    { questions, isLast }: { questions: readonly QuestionRecord[]; isLast: boolean },
  ): Promise<void> {
    const { tenantId, id: runId, epoch } = run;
    for (const question of questions) {
      const outcome: ClarifyOutcome =
        question.status === 'expired'
          ? { status: 'expired' }
          : await this.closeUnlessAnswered(
              question,
              question.answer === undefined ? undefined : givenAnswer(question),
              AbortSignal.abort(),
            );
      await writer.record(endEvent(question, outcome), undefined, async tx => {
        if (isLast) await tx.runs.update(tenantId, runId, { from: ['waiting'], epoch }, { status: 'running' });
      });
    }
  }

  /** Cancels the open questions of a run that ends. A taken-over run may end before it waits for them again. */
  async withdrawQuestions({ tenantId, id: runId }: RunRecord, writer: RunWriter): Promise<void> {
    const { store, clock } = this.ports;
    const filter = { runId, status: 'pending' as const };
    const page = await retryWhileStoreUnavailable(clock, () => store.read.questions.list(tenantId, filter, { limit: 100 }));
    const open = page.data.filter(question => question.mode === 'wait');
    const ends = open.map(question =>
      writer.record(endEvent(question, { status: 'cancelled' }), undefined, async tx => {
        await tx.questions.close(tenantId, question.id, { status: 'cancelled', closedAt: clock.now() });
      }),
    );
    await Promise.all(ends);
  }

  /**
   * Stores the answer together with what `alsoWrite` writes, then wakes the waiting run. Rejects as `alsoWrite` does, and `clarification_closed` with
   * the status and the winning answer.
   */
  async recordAnswer(question: QuestionRecord, given: GivenAnswer, { alsoWrite, lock = 'none' }: AnswerWrites = {}): Promise<void> {
    const { store, clock, failpoints } = this.ports;
    const closedAt = clock.now();
    if (question.status !== 'pending' || question.expiresAt <= closedAt) throw await this.lateAnswer(question);
    const closing = { status: 'answered' as const, ...given, closedAt };
    const isClosed = await store.transaction(lock, async tx => {
      if (!(await tx.questions.close(question.tenantId, question.id, closing))) return false;
      await alsoWrite?.(tx);
      const run = await tx.runs.get(question.tenantId, question.runId);
      await this.ports.auditLog.record(answerEntry(question, given, run?.keyName), tx);
      return true;
    });
    if (!isClosed) throw await this.lateAnswer(await this.findQuestion(question, question.id, question.kind));
    await failpoints.reach('clarify_answered');
    // No run waits here: another node may execute the run.
    if (!this.resolvers.resolve(question.id, question, given)) this.ports.nodeBus.publish('requests', {});
  }

  /** Ends a clarification that the person does not want to answer: the agent goes on as after its deadline. Rejects like `recordAnswer`. */
  async skipQuestion(question: QuestionRecord): Promise<void> {
    const { store, clock } = this.ports;
    const closing = { status: 'expired' as const, closedAt: clock.now() };
    const isClosed = await store.transaction('none', tx => tx.questions.close(question.tenantId, question.id, closing));
    if (!isClosed) throw closedError(await this.findQuestion(question, question.id, question.kind));
    if (!this.resolvers.release(question.id)) this.ports.nodeBus.publish('requests', {});
  }

  /** Resolves with the ids of the text clarifications that a message answers. */
  async openTextQuestions(read: Pick<StoreReader, 'questions'>, asker: { tenantId: string; sessionId?: string }): Promise<string[]> {
    const { tenantId, sessionId } = asker;
    return sessionId === undefined ? [] : read.questions.openText(tenantId, sessionId, this.ports.clock.now());
  }

  /**
   * Answers the open text clarifications of a session with its next message, in the caller's transaction. Throws `clarification_closed` when the
   * question that the message was sent to answer is not open.
   */
  async answerByMessage(
    tx: StoreTransaction,
    { tenantId, sessionId }: SessionKey,
    { text, keyName, requestId, open }: MessageAnswer,
  ): Promise<void> {
    const now = this.ports.clock.now();
    if (requestId !== undefined && !open.includes(requestId)) {
      throw closedError((await tx.questions.get(tenantId, requestId)) ?? { status: 'cancelled' });
    }
    if (open.length === 0) return;
    const given = answerFrom(keyName, text);
    const who = byActor({ tenantId, keyName: given.decidedBy });
    for (const id of open) {
      // It may have been skipped since it was read.
      const isAnswered = await tx.questions.close(tenantId, id, { status: 'answered', ...given, closedAt: now });
      if (!isAnswered && id === requestId) throw closedError((await tx.questions.get(tenantId, id)) ?? { status: 'cancelled' });
      if (!isAnswered) continue;
      await this.ports.auditLog.record({ ...who, action: 'question.answer', target: id, details: { sessionId } }, tx);
    }
  }

  /**
   * Restarts the time limit of the question's kind, and never shortens the time left. Resolves with the deadline in milliseconds since 1970.
   * Rejects `not_found` and `clarification_closed`.
   */
  async extendDeadline(session: SessionKey, requestId: string, timeoutsMs: Record<QuestionKind, number>): Promise<number> {
    const question = await this.findQuestion(session, requestId);
    const now = this.ports.clock.now();
    const expiresAt = Math.max(question.expiresAt, question.approval?.review?.deadlineMs ? 0 : now + timeoutsMs[question.kind]);
    const isOpen = question.status === 'pending' && question.expiresAt > now;
    const extended =
      isOpen && (await this.ports.store.transaction('none', tx => tx.questions.extend(session.tenantId, requestId, expiresAt)));
    if (!extended) throw closedError(await this.findQuestion(session, requestId));
    return expiresAt;
  }

  /** Lists questions of one kind, oldest first; at most 20 approvals a page. An overdue question counts as expired before it is closed. */
  async listQuestions(tenantId: string, filter: QuestionFilter & { kind: QuestionKind }, page: PageRequest): Promise<Page<QuestionRecord>> {
    const limit = Math.min(page.limit, MAX_PAGE[filter.kind]);
    const { data, ...rest } = await this.ports.store.read.questions.list(tenantId, filter, { ...page, limit });
    const now = this.ports.clock.now();
    const isOverdue = ({ status, expiresAt }: QuestionRecord) => status === 'pending' && expiresAt <= now;
    if (filter.status === 'pending') return { data: data.filter(question => !isOverdue(question)), ...rest };
    return { data: data.map(question => (isOverdue(question) ? { ...question, status: 'expired' as const } : question)), ...rest };
  }

  /** Lists the open questions of a session and of its child runs, oldest first, at most 200 of each. */
  async listOpenQuestions({ tenantId, sessionId }: SessionKey): Promise<QuestionRecord[]> {
    const { store, clock } = this.ports;
    const filters = [{ sessionId }, { parentSessionId: sessionId }];
    const pages = await Promise.all(
      filters.map(filter => store.read.questions.list(tenantId, { ...filter, status: 'pending' }, { limit: 200 })),
    );
    const open = pages.flatMap(({ data }) => data).filter(question => question.expiresAt > clock.now());
    return open.sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Rejects `not_found`, also for a question of another tenant, session or kind. The session of a parent run has the questions of its child runs. */
  async findQuestion(asker: { tenantId: string; sessionId?: string }, requestId: string, kind?: QuestionKind): Promise<QuestionRecord> {
    const question = await this.ports.store.read.questions.get(asker.tenantId, requestId);
    const sessions = [undefined, question?.sessionId, question?.parentSessionId];
    const isOwned = question && sessions.includes(asker.sessionId);
    if (isOwned && (kind === undefined || kind === question.kind)) return question;
    throw new AppError('not_found', { message: 'There is no such question.', messageZh: '没有这个问题。', param: '/requestId' });
  }

  private async lateAnswer(question: QuestionRecord): Promise<AppError> {
    const run = await this.ports.store.read.runs.getState(question.tenantId, question.runId);
    if (run) this.ports.observer.note({ type: 'late_answer', kind: question.kind, door: run.door });
    return closedError(question);
  }

  /** Closes a question that was not answered; an answer stored at the same moment still wins. */
  private async closeUnlessAnswered(
    question: QuestionRecord,
    given: GivenAnswer | undefined,
    signal: AbortSignal,
  ): Promise<ClarifyOutcome> {
    if (given) return { status: 'answered', ...given };
    const status = signal.aborted ? 'cancelled' : 'expired';
    const { store, clock } = this.ports;
    const close = () =>
      store.transaction('none', tx => tx.questions.close(question.tenantId, question.id, { status, closedAt: clock.now() }));
    if (await retryWhileStoreUnavailable(clock, close)) return { status };
    const stored = await store.read.questions.get(question.tenantId, question.id);
    return stored?.status === 'answered' ? { status: 'answered', ...givenAnswer(stored) } : { status };
  }
}
