/** What the agent wants to know from a person: questions that a run waits for, and questions that ended a run as its answer. */
import type { Page, PageRequest } from '../../port/store/page';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { ClarifyOutcome } from '../../tools/common';
import type { RunWriter } from '../run/run_writer';
import { closedError } from './question_events';
import type { QuestionOwner, QuestionPorts, QuestionService } from './question_service';

export interface Question {
  question: string;
  choices?: string[];
  toolCallId?: string;
}

const KIND = 'clarification';

export class ClarificationService {
  constructor(private readonly deps: { ports: Pick<QuestionPorts, 'clock'>; desk: QuestionService }) {}

  /** Asks and waits. `existing`: the question was asked before the run was interrupted. See QuestionService.ask. */
  ask(
    run: RunRecord,
    writer: RunWriter,
    { signal, ...question }: Question & { signal: AbortSignal },
    existing?: QuestionRecord,
  ): Promise<ClarifyOutcome> {
    const row = existing ?? this.newRow(run, question, { mode: 'wait', timeoutMs: run.interaction.clarifyTimeoutMs });
    return this.deps.desk.ask(run, writer, { row, isKnown: existing !== undefined, signal });
  }

  /** Row for a question that is handed over as text; stored by the caller with the end of its run. */
  textQuestion(run: RunRecord, question: Question, timeoutMs: number): QuestionRecord {
    return this.newRow(run, question, { mode: 'text', timeoutMs });
  }

  /**
   * Answers a waiting question. Resolves once the answer is stored. Rejects `not_found` (also for another session or tenant) and
   * `clarification_closed` with the status and the winning answer.
   */
  async answer(owner: QuestionOwner, requestId: string, answer: string): Promise<QuestionRecord> {
    return this.deps.desk.answer(await this.find(owner, requestId), answer);
  }

  /**
   * In a transaction of the caller: the next message of a session answers what was handed over as text. When it was sent to answer one
   * certain question (`requestId`), that one must still be open, or `clarification_closed` is thrown.
   */
  async answerByMessage(
    tx: StoreTransaction,
    owner: QuestionOwner,
    reply: { answer: string; requestId?: string | undefined },
  ): Promise<void> {
    const { tenantId, sessionId } = owner;
    const { answer, requestId } = reply;
    const now = this.deps.ports.clock.now();
    const page = await tx.listQuestions(tenantId, { kind: KIND, sessionId, status: 'pending' }, { limit: 100 });
    const open = page.data.filter(row => row.mode === 'text' && row.expiresAt > now);
    if (requestId !== undefined && !open.some(row => row.id === requestId)) {
      throw closedError((await tx.getQuestion(tenantId, requestId)) ?? { status: 'cancelled' });
    }
    for (const row of open) await tx.closeQuestion(tenantId, row.id, { status: 'answered', answer, closedAt: now });
  }

  /** Oldest first; an overdue question that nobody closed yet counts as expired. */
  list(
    tenantId: string,
    filter: { sessionId?: string; status?: QuestionRecord['status'] },
    page: PageRequest,
  ): Promise<Page<QuestionRecord>> {
    return this.deps.desk.list(tenantId, { ...filter, kind: KIND }, page);
  }

  /** Open questions of the session, oldest first. */
  listOpen(tenantId: string, sessionId: string): Promise<QuestionRecord[]> {
    return this.deps.desk.listOpen(tenantId, { kind: KIND, sessionId });
  }

  find(owner: { tenantId: string; sessionId?: string }, requestId: string): Promise<QuestionRecord> {
    return this.deps.desk.find(owner, requestId, KIND);
  }

  private newRow(run: RunRecord, ask: Question, how: { mode: 'wait' | 'text'; timeoutMs: number }): QuestionRecord {
    const { question, choices, toolCallId } = ask;
    return this.deps.desk.newRow(run, {
      kind: KIND,
      ...how,
      question,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(choices?.length && { choices }),
    });
  }
}
