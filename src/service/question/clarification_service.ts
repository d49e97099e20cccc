/** What the agent wants to know from a person: questions that a run waits for, and questions that ended a run as its answer. */
import type { Page, PageRequest, StoreTransaction } from '../../port/store';
import type { ClarificationRecord, RunRecord } from '../../port/store_records';
import type { ClarifyOutcome } from '../../tools/common';
import type { ClarifyOwner, QuestionDesk, QuestionPorts } from './question_service';
import { closedError } from './question_events';
import type { RunWriter } from '../run/run_writer';

export interface Question {
  question: string;
  choices?: string[];
  toolCallId?: string;
}

const KIND = 'clarification';

export class ClarificationService {
  constructor(private readonly parts: { ports: Pick<QuestionPorts, 'clock'>; desk: QuestionDesk }) {}

  /** Asks and waits. `existing`: the question was asked before the run was interrupted. See QuestionDesk.ask. */
  ask(
    run: RunRecord,
    writer: RunWriter,
    { signal, ...question }: Question & { signal: AbortSignal },
    existing?: ClarificationRecord,
  ): Promise<ClarifyOutcome> {
    const row = existing ?? this.newRow(run, question, { mode: 'wait', timeoutMs: run.interaction.clarifyTimeoutMs });
    return this.parts.desk.ask(run, writer, { row, isKnown: existing !== undefined, signal });
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
    return this.parts.desk.answer(await this.find(owner, requestId), answer);
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
    const now = this.parts.ports.clock.now();
    const page = await tx.listClarifications(tenantId, { kind: KIND, sessionId, status: 'pending' }, { limit: 100 });
    const open = page.data.filter(row => row.mode === 'text' && row.expiresAt > now);
    if (requestId !== undefined && !open.some(row => row.id === requestId)) {
      throw closedError((await tx.getClarification(tenantId, requestId)) ?? { status: 'cancelled' });
    }
    for (const row of open) await tx.closeClarification(tenantId, row.id, { status: 'answered', answer, closedAt: now });
  }

  /** Oldest first; an overdue question that nobody closed yet counts as expired. */
  list(
    tenantId: string,
    filter: { sessionId?: string; status?: ClarificationRecord['status'] },
    page: PageRequest,
  ): Promise<Page<ClarificationRecord>> {
    return this.parts.desk.list(tenantId, { ...filter, kind: KIND }, page);
  }

  /** Open questions of the session, oldest first. */
  listOpen(tenantId: string, sessionId: string): Promise<ClarificationRecord[]> {
    return this.parts.desk.listOpen(tenantId, { kind: KIND, sessionId });
  }

  find(owner: { tenantId: string; sessionId?: string }, requestId: string): Promise<ClarificationRecord> {
    return this.parts.desk.find(owner, requestId, KIND);
  }

  private newRow(run: RunRecord, ask: Question, how: { mode: 'wait' | 'text'; timeoutMs: number }): ClarificationRecord {
    const { question, choices, toolCallId } = ask;
    return this.parts.desk.newRow(run, {
      kind: KIND,
      ...how,
      question,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(choices?.length && { choices }),
    });
  }
}
