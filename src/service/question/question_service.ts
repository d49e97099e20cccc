/**
 * Questions to people, of either kind. A question is a stored row with an owner, an absolute deadline and a status that changes once, by
 * compare-and-set: whoever closes it first wins, from any door and any process.
 */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Failpoints } from '../../port/failpoints';
import type { Page, PageRequest } from '../../port/store/page';
import type { QuestionKind, QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { ClarifyOutcome } from '../../tools/common';
import { retryWhileStoreUnavailable } from '../run/retry_while_store_unavailable';
import { type RunWriter, WriterClosed } from '../run/run_writer';
import { closedError, endEvent, requestEvent } from './question_events';

export interface QuestionOwner {
  tenantId: string;
  sessionId: string;
}

/** Wakes loops that wait in this process. */
export interface QuestionWaiters {
  /** Resolves with the answer, or with undefined when released. */
  wait(requestId: string, owner: QuestionOwner): Promise<string | undefined>;
  /** False when nobody waits here or the owner is another. */
  answer(requestId: string, owner: QuestionOwner, answer: string): boolean;
  release(requestId: string): void;
  size(): number;
}

export interface QuestionPorts {
  store: Store;
  clock: Clock;
  ids: IdSource;
  failpoints: Failpoints;
  waiters: QuestionWaiters;
}

/** What differs from question to question. */
export type QuestionContent = Pick<QuestionRecord, 'kind' | 'mode' | 'question'> &
  Partial<Pick<QuestionRecord, 'toolCallId' | 'choices' | 'approval'>> & { timeoutMs: number };

const RETRY_MS = 1_000;

export class QuestionService {
  constructor(private readonly ports: QuestionPorts) {}

  newRow(run: RunRecord, { timeoutMs, ...content }: QuestionContent): QuestionRecord {
    const now = this.ports.clock.now();
    const { tenantId, sessionId, id: runId } = run;
    const id = this.ports.ids.uuid();
    return { tenantId, id, sessionId, runId, ...content, status: 'pending', createdAt: now, expiresAt: now + timeoutMs };
  }

  /**
   * Puts the question and waits; the run is `waiting` meanwhile. Resolves when it is answered, expired, or cancelled by the signal. `isKnown`:
   * it was put before the run was interrupted; it keeps its deadline, and an answer that came meanwhile counts.
   */
  async ask(
    run: RunRecord,
    writer: RunWriter,
    { row, isKnown, signal }: { row: QuestionRecord; isKnown: boolean; signal: AbortSignal },
  ): Promise<ClarifyOutcome> {
    const { waiters } = this.ports;
    const { tenantId, id: runId, epoch } = run;
    if (signal.aborted && !isKnown) {
      if (writer.isClosed) throw new WriterClosed();
      return { status: 'cancelled' };
    }
    const answered = waiters.wait(row.id, row);
    try {
      if (!isKnown) {
        await writer.record(requestEvent(row), undefined, async tx => {
          await tx.insertQuestion(row);
          await tx.updateRun(tenantId, runId, { from: ['running'], epoch }, { status: 'waiting' });
        });
      }
      const answer = await this.waitForAnswer(row, answered, signal);
      // The question stays open for the process that goes on with the run.
      if (writer.isClosed) throw new WriterClosed();
      const outcome = await this.settle(row, answer, signal);
      // After an interruption the end may have been told already.
      if (isKnown && run.status !== 'waiting') return outcome;
      await writer.record(endEvent(row, outcome), undefined, async tx => {
        await tx.updateRun(tenantId, runId, { from: ['waiting'], epoch }, { status: 'running' });
      });
      return outcome;
    } finally {
      waiters.release(row.id);
    }
  }

  /** Ends the questions that a run which was taken over while it waited does not put again, and lets it run when it waits for nothing else. */
  async drop(run: RunRecord, writer: RunWriter, { rows, isLast }: { rows: readonly QuestionRecord[]; isLast: boolean }): Promise<void> {
    const { tenantId, id: runId, epoch } = run;
    for (const row of rows) {
      const outcome: ClarifyOutcome =
        row.status === 'expired' ? { status: 'expired' } : await this.settle(row, row.answer, AbortSignal.abort());
      await writer.record(endEvent(row, outcome), undefined, async tx => {
        if (isLast) await tx.updateRun(tenantId, runId, { from: ['waiting'], epoch }, { status: 'running' });
      });
    }
  }

  /** Closes what a run still asks when it ends: one that was taken over may have been ended before it came to wait again. */
  async withdraw({ tenantId, id: runId }: RunRecord, writer: RunWriter): Promise<void> {
    const { store, clock } = this.ports;
    const filter = { runId, status: 'pending' as const };
    const page = await retryWhileStoreUnavailable(clock, () => store.read.listQuestions(tenantId, filter, { limit: 100 }));
    const open = page.data.filter(row => row.mode === 'wait');
    const ends = open.map(row =>
      writer.record(endEvent(row, { status: 'cancelled' }), undefined, async tx => {
        await tx.closeQuestion(tenantId, row.id, { status: 'cancelled', closedAt: clock.now() });
      }),
    );
    await Promise.all(ends);
  }

  /** Stores the answer to a waiting question, then wakes who waits. Rejects `clarification_closed` with the status and what was said first. */
  async answer(row: QuestionRecord, answer: string): Promise<QuestionRecord> {
    const { store, clock, failpoints, waiters } = this.ports;
    const closedAt = clock.now();
    if (row.status !== 'pending' || row.expiresAt <= closedAt) throw closedError(row);
    const closing = { status: 'answered' as const, answer, closedAt };
    if (!(await store.transaction(tx => tx.closeQuestion(row.tenantId, row.id, closing)))) {
      throw closedError(await this.find(row, row.id, row.kind));
    }
    await failpoints.reach('clarify_answered');
    waiters.answer(row.id, row, answer);
    return { ...row, ...closing };
  }

  /** Gives the person the time of this kind again, from now, and never less than is left. Resolves the deadline in milliseconds since 1970. */
  async extend(owner: QuestionOwner, requestId: string, timeoutsMs: Record<QuestionKind, number>): Promise<number> {
    const row = await this.find(owner, requestId);
    const now = this.ports.clock.now();
    const expiresAt = Math.max(row.expiresAt, now + timeoutsMs[row.kind]);
    const isOpen = row.status === 'pending' && row.expiresAt > now;
    const extended = isOpen && (await this.ports.store.transaction(tx => tx.extendQuestion(owner.tenantId, requestId, expiresAt)));
    if (!extended) throw closedError(await this.find(owner, requestId));
    return expiresAt;
  }

  /** Oldest first; an overdue question that nobody closed yet counts as expired. */
  async list(
    tenantId: string,
    filter: { kind: QuestionKind; sessionId?: string; status?: QuestionRecord['status'] },
    page: PageRequest,
  ): Promise<Page<QuestionRecord>> {
    const { data, ...rest } = await this.ports.store.read.listQuestions(tenantId, filter, page);
    const now = this.ports.clock.now();
    const seen = data.map(row => (row.status === 'pending' && row.expiresAt <= now ? { ...row, status: 'expired' as const } : row));
    return { data: filter.status === 'pending' ? seen.filter(row => row.status === 'pending') : seen, ...rest };
  }

  /** Open questions of the session, oldest first. */
  async listOpen(tenantId: string, filter: { kind: QuestionKind; sessionId: string }): Promise<QuestionRecord[]> {
    const page = await this.ports.store.read.listQuestions(tenantId, { ...filter, status: 'pending' }, { limit: 200 });
    return page.data.filter(row => row.expiresAt > this.ports.clock.now());
  }

  /** Rejects `not_found`, also for another tenant's or session's question, or one of another kind. */
  async find(owner: { tenantId: string; sessionId?: string }, requestId: string, kind?: QuestionKind): Promise<QuestionRecord> {
    const row = await this.ports.store.read.getQuestion(owner.tenantId, requestId);
    const isOwned = row && (owner.sessionId === undefined || owner.sessionId === row.sessionId);
    if (isOwned && (kind === undefined || kind === row.kind)) return row;
    throw new AppError('not_found', { message: 'There is no such question.', param: '/requestId' });
  }

  /** The answer, or undefined when the deadline (which may have been extended meanwhile) passed or the signal aborted. */
  private async waitForAnswer(
    row: QuestionRecord,
    answered: Promise<string | undefined>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { clock, waiters, store } = this.ports;
    const release = () => waiters.release(row.id);
    let stopTimer = () => {};
    const check = async (): Promise<void> => {
      // It may have been extended: only the store knows the deadline.
      const stored = await store.read.getQuestion(row.tenantId, row.id).then(
        found => found ?? row,
        () => undefined,
      );
      if (!stored) stopTimer = clock.after(RETRY_MS, check);
      else if (stored.status === 'answered') waiters.answer(row.id, row, stored.answer ?? '');
      else if (stored.status !== 'pending' || stored.expiresAt <= clock.now()) release();
      else stopTimer = clock.after(stored.expiresAt - clock.now(), check);
    };
    signal.addEventListener('abort', release, { once: true });
    if (signal.aborted) release();
    await check();
    try {
      return await answered;
    } finally {
      stopTimer();
      signal.removeEventListener('abort', release);
    }
  }

  /** Closes the row when no answer came; an answer that was stored in the same moment still wins. */
  private async settle(row: QuestionRecord, answer: string | undefined, signal: AbortSignal): Promise<ClarifyOutcome> {
    if (answer !== undefined) return { status: 'answered', answer };
    const status = signal.aborted ? 'cancelled' : 'expired';
    const { store, clock } = this.ports;
    const close = () => store.transaction(tx => tx.closeQuestion(row.tenantId, row.id, { status, closedAt: clock.now() }));
    if (await retryWhileStoreUnavailable(clock, close)) return { status };
    const stored = await store.read.getQuestion(row.tenantId, row.id);
    return stored?.status === 'answered' ? { status: 'answered', answer: stored.answer ?? '' } : { status };
  }
}
