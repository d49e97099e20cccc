/** Questions as events and errors say them. */
import { AppError } from '../../errors';
import type { ApprovalAnswer, ApprovalData, ClarificationData, RunEventBody } from '../../port/run_event';
import type { ApprovalSubject, QuestionRecord } from '../../port/store/questions';
import type { ClarifyOutcome } from '../../tools/common';

type QuestionEvent = Extract<RunEventBody, { type: 'clarify_request' | 'clarify_end' | 'approval_request' | 'approval_end' }>;

export function requestEvent(row: QuestionRecord): QuestionEvent {
  return row.approval
    ? { type: 'approval_request', data: toApprovalData(row, row.approval) }
    : { type: 'clarify_request', data: toClarificationData(row) };
}

/** An approval that nobody gave is a no. */
export function endEvent({ id: requestId, kind }: QuestionRecord, outcome: ClarifyOutcome): QuestionEvent {
  const { status } = outcome;
  const answer = outcome.status === 'answered' ? outcome.answer : undefined;
  if (kind === 'clarification') return { type: 'clarify_end', data: { requestId, status, ...(answer !== undefined && { answer }) } };
  const said: ApprovalAnswer = answer === undefined ? { decision: 'deny' } : readDecision(answer);
  return { type: 'approval_end', data: { requestId, status, ...said } };
}

/** The part of a question that goes over wires. */
export function toClarificationData({ id, question, choices, expiresAt }: QuestionRecord): ClarificationData {
  return { requestId: id, question, ...(choices && { choices }), expiresAt: new Date(expiresAt).toISOString() };
}

/** An approval as its event says it. */
export function toApprovalData(row: QuestionRecord, subject: ApprovalSubject): ApprovalData {
  const { id: requestId, toolCallId = '', question: reason, expiresAt } = row;
  const { tool, label, args, sessionScope, taint } = subject;
  return {
    requestId,
    toolCallId,
    tool,
    label,
    args,
    reason,
    sessionScope,
    ...(taint && { taint: [...taint] }),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** The stored answer to an approval. */
export const readDecision = (answer: string): ApprovalAnswer => JSON.parse(answer) as ApprovalAnswer;

/** The text of an approval's answer as the store keeps it; `readDecision` reads it. */
export const writeDecision = (answer: ApprovalAnswer): string => JSON.stringify(answer);

/** Says how the question ended, and what the first answer was. */
export function closedError(row: Partial<Pick<QuestionRecord, 'kind' | 'answer'>> & Pick<QuestionRecord, 'status'>): AppError {
  const status = row.status === 'pending' ? 'expired' : row.status;
  const answer = row.answer === undefined ? {} : row.kind === 'approval' ? readDecision(row.answer) : { answer: row.answer };
  return new AppError('clarification_closed', { details: { status, ...answer } });
}
