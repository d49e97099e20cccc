/**
 * Questions to people. A question is a stored row with an owner, an absolute deadline and a status that changes once, by compare-and-set:
 * whoever closes it first wins, from any door and any process.
 */
import { AppError } from '../errors';
import type { Clock, IdSource } from '../port/clock';
import type { DebugPoints } from '../port/debug_points';
import type { Page, PageRequest, Store, StoreTransaction } from '../port/store';
import type { ClarificationRecord, RunRecord } from '../port/store_records';
import type { ClarifyOutcome } from '../tools/common';
import { type RunWriter, WriterClosed } from './run_log';
import { whenStoreAllows } from './store_patience';

export interface ClarifyOwner {
  tenantId: string;
  sessionId: string;
}

/** Wakes loops that wait in this process. */
export interface ClarifyWaiters {
  /** Resolves with the answer, or with undefined when released. */
  wait(requestId: string, owner: ClarifyOwner): Promise<string | undefined>;
  /** False when nobody waits here or the owner is another. */
  answer(requestId: string, owner: ClarifyOwner, answer: string): boolean;
  release(requestId: string): void;
  size(): number;
}

export interface ClarificationPorts {
  store: Store;
  clock: Clock;
  ids: IdSource;
  debug: DebugPoints;
  waiters: ClarifyWaiters;
}

export interface Question {
  question: string;
  choices?: string[];
  toolCallId?: string;
}

export class ClarificationService {
  constructor(private readonly ports: ClarificationPorts) {}

  /**
   * Asks and waits. The run is `waiting` meanwhile. Resolves when answered, expired, or cancelled by the signal. `existing`: the question
   * was asked before the run was interrupted; it keeps its deadline, and an answer that came meanwhile counts.
   */
  async ask(
    run: RunRecord,
    writer: RunWriter,
    question: Question & { signal: AbortSignal },
    existing?: ClarificationRecord,
  ): Promise<ClarifyOutcome> {
    const { signal } = question;
    const { waiters } = this.ports;
    const { tenantId, id: runId, epoch } = run;
    const row = existing ?? this.newRow(run, question, { mode: 'wait', timeoutMs: run.interaction.clarifyTimeoutMs });
    const answered = waiters.wait(row.id, row);
    try {
      if (!existing) {
        await writer.record({ type: 'clarify_request', data: toClarificationData(row) }, undefined, async tx => {
          await tx.insertClarification(row);
          await tx.updateRun(tenantId, runId, { from: ['running'], epoch }, { status: 'waiting' });
        });
      }
      const answer = await this.waitForAnswer(row, answered, signal);
      // The question stays open for the process that goes on with the run.
      if (writer.isClosed) throw new WriterClosed();
      const outcome = await this.settle(row, answer, signal);
      // After an interruption the end may have been told already.
      if (existing && run.status !== 'waiting') return outcome;
      const data = { requestId: row.id, status: outcome.status, ...(outcome.status === 'answered' && { answer: outcome.answer }) };
      await writer.record({ type: 'clarify_end', data }, undefined, async tx => {
        await tx.updateRun(tenantId, runId, { from: ['waiting'], epoch }, { status: 'running' });
      });
      return outcome;
    } finally {
      waiters.release(row.id);
    }
  }

  /** Closes what a run still asks when it ends: one that was taken over may have been ended before it came to wait again. */
  async withdraw({ tenantId, id: runId }: RunRecord, writer: RunWriter): Promise<void> {
    const { store, clock } = this.ports;
    const filter = { runId, status: 'pending' as const };
    const page = await whenStoreAllows(clock, () => store.read.listClarifications(tenantId, filter, { limit: 100 }));
    const open = page.data.filter(row => row.mode === 'wait');
    const ends = open.map(({ id: requestId }) =>
      writer.record({ type: 'clarify_end', data: { requestId, status: 'cancelled' } }, undefined, async tx => {
        await tx.closeClarification(tenantId, requestId, { status: 'cancelled', closedAt: clock.now() });
      }),
    );
    await Promise.all(ends);
  }

  /** Row for a question that is handed over as text; stored by the caller with the end of its run. */
  textQuestion(run: RunRecord, question: Question, timeoutMs: number): ClarificationRecord {
    return this.newRow(run, question, { mode: 'text', timeoutMs });
  }

  /**
   * Answers a waiting question. Resolves once the answer is stored. Rejects `not_found` (also for another session or tenant) and
   * `clarification_closed` with the status and the winning answer.
   */
  async answer(owner: ClarifyOwner, requestId: string, answer: string): Promise<ClarificationRecord> {
    const row = await this.find(owner, requestId);
    const closedAt = this.ports.clock.now();
    if (row.status !== 'pending' || row.expiresAt <= closedAt) throw closedError(row);
    const won = await this.ports.store.transaction(tx =>
      tx.closeClarification(owner.tenantId, requestId, { status: 'answered', answer, closedAt }),
    );
    if (!won) throw closedError(await this.find(owner, requestId));
    await this.ports.debug.hit('clarify_answered');
    this.ports.waiters.answer(requestId, row, answer);
    return { ...row, status: 'answered', answer, closedAt };
  }

  /**
   * In a transaction of the caller: the next message of a session answers what was handed over as text. When it was sent to answer one
   * certain question (`requestId`), that one must still be open, or `clarification_closed` is thrown.
   */
  async answerByMessage(
    tx: StoreTransaction,
    owner: ClarifyOwner,
    reply: { answer: string; requestId?: string | undefined },
  ): Promise<void> {
    const { tenantId, sessionId } = owner;
    const { answer, requestId } = reply;
    const now = this.ports.clock.now();
    const page = await tx.listClarifications(tenantId, { sessionId, status: 'pending' }, { limit: 100 });
    const open = page.data.filter(row => row.mode === 'text' && row.expiresAt > now);
    if (requestId !== undefined && !open.some(row => row.id === requestId)) {
      throw closedError((await tx.getClarification(tenantId, requestId)) ?? { status: 'cancelled' });
    }
    for (const row of open) await tx.closeClarification(tenantId, row.id, { status: 'answered', answer, closedAt: now });
  }

  /** Gives the person the same time again, from now. Resolves the new deadline in milliseconds since 1970. */
  async extend(owner: ClarifyOwner, requestId: string, timeoutMs: number): Promise<number> {
    const row = await this.find(owner, requestId);
    const expiresAt = this.ports.clock.now() + timeoutMs;
    const isOpen = row.status === 'pending' && row.expiresAt > this.ports.clock.now();
    const extended = isOpen && (await this.ports.store.transaction(tx => tx.extendClarification(owner.tenantId, requestId, expiresAt)));
    if (!extended) throw closedError(await this.find(owner, requestId));
    return expiresAt;
  }

  /** Oldest first; an overdue question that nobody closed yet counts as expired. */
  async list(
    tenantId: string,
    filter: { sessionId?: string; status?: ClarificationRecord['status'] },
    page: PageRequest,
  ): Promise<Page<ClarificationRecord>> {
    const { data, ...rest } = await this.ports.store.read.listClarifications(tenantId, filter, page);
    const now = this.ports.clock.now();
    const seen = data.map(row => (row.status === 'pending' && row.expiresAt <= now ? { ...row, status: 'expired' as const } : row));
    return { data: filter.status === 'pending' ? seen.filter(row => row.status === 'pending') : seen, ...rest };
  }

  /** Open questions of the tenant, or of one session, oldest first. */
  async listOpen(tenantId: string, sessionId?: string): Promise<ClarificationRecord[]> {
    const filter = { status: 'pending' as const, ...(sessionId !== undefined && { sessionId }) };
    const page = await this.ports.store.read.listClarifications(tenantId, filter, { limit: 200 });
    return page.data.filter(row => row.expiresAt > this.ports.clock.now());
  }

  async find(owner: { tenantId: string; sessionId?: string }, requestId: string): Promise<ClarificationRecord> {
    const row = await this.ports.store.read.getClarification(owner.tenantId, requestId);
    if (row && (owner.sessionId === undefined || owner.sessionId === row.sessionId)) return row;
    throw new AppError('not_found', { message: 'There is no such question.', param: '/requestId' });
  }

  private newRow(run: RunRecord, ask: Question, how: { mode: 'wait' | 'text'; timeoutMs: number }): ClarificationRecord {
    const now = this.ports.clock.now();
    const { tenantId, sessionId, id: runId } = run;
    const { question, choices, toolCallId } = ask;
    return {
      tenantId,
      id: this.ports.ids.uuid(),
      sessionId,
      runId,
      ...(toolCallId !== undefined && { toolCallId }),
      mode: how.mode,
      question,
      ...(choices?.length && { choices }),
      status: 'pending',
      createdAt: now,
      expiresAt: now + how.timeoutMs,
    };
  }

  /** The answer, or undefined when the deadline (which may have been extended meanwhile) passed or the signal aborted. */
  private async waitForAnswer(
    row: ClarificationRecord,
    answered: Promise<string | undefined>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { clock, waiters, store } = this.ports;
    const release = () => waiters.release(row.id);
    let stopTimer = () => {};
    const check = async (): Promise<void> => {
      const stored = (await store.read.getClarification(row.tenantId, row.id).catch(() => undefined)) ?? row;
      if (stored.status === 'answered') waiters.answer(row.id, row, stored.answer ?? '');
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
  private async settle(row: ClarificationRecord, answer: string | undefined, signal: AbortSignal): Promise<ClarifyOutcome> {
    if (answer !== undefined) return { status: 'answered', answer };
    const status = signal.aborted ? 'cancelled' : 'expired';
    const { store, clock } = this.ports;
    const close = () => store.transaction(tx => tx.closeClarification(row.tenantId, row.id, { status, closedAt: clock.now() }));
    if (await whenStoreAllows(clock, close)) return { status };
    const stored = await store.read.getClarification(row.tenantId, row.id);
    return stored?.status === 'answered' ? { status: 'answered', answer: stored.answer ?? '' } : { status };
  }
}

/** The part of a question that goes over wires. */
export function toClarificationData({ id, question, choices, expiresAt }: ClarificationRecord) {
  return { requestId: id, question, ...(choices && { choices }), expiresAt: new Date(expiresAt).toISOString() };
}

function closedError(row: Pick<ClarificationRecord, 'status' | 'answer'>): AppError {
  const status = row.status === 'pending' ? 'expired' : row.status;
  return new AppError('clarification_closed', { details: { status, ...(row.answer !== undefined && { answer: row.answer }) } });
}
