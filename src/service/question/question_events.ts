/** Questions as events and errors say them. */
import { AppError } from '../../errors';
import type { ApprovalAnswer, ClarificationData, RunEventBody } from '../../port/run_event';
import type { ClarificationRecord } from '../../port/store_records';
import type { ClarifyOutcome } from '../../tools/common';
import { readDecision, toApprovalData } from '../../wire/wire_records';

type QuestionEvent = Extract<RunEventBody, { type: 'clarify_request' | 'clarify_end' | 'approval_request' | 'approval_end' }>;

export function requestEvent(row: ClarificationRecord): QuestionEvent {
  return row.approval
    ? { type: 'approval_request', data: toApprovalData(row, row.approval) }
    : { type: 'clarify_request', data: toClarificationData(row) };
}

/** An approval that nobody gave is a no. */
export function endEvent({ id: requestId, kind }: ClarificationRecord, outcome: ClarifyOutcome): QuestionEvent {
  const { status } = outcome;
  const answer = outcome.status === 'answered' ? outcome.answer : undefined;
  if (kind === 'clarification') return { type: 'clarify_end', data: { requestId, status, ...(answer !== undefined && { answer }) } };
  const said: ApprovalAnswer = answer === undefined ? { decision: 'deny' } : readDecision(answer);
  return { type: 'approval_end', data: { requestId, status, ...said } };
}

/** The part of a question that goes over wires. */
export function toClarificationData({ id, question, choices, expiresAt }: ClarificationRecord): ClarificationData {
  return { requestId: id, question, ...(choices && { choices }), expiresAt: new Date(expiresAt).toISOString() };
}

/** What `readDecision` reads. */
export const writeDecision = (answer: ApprovalAnswer): string => JSON.stringify(answer);

/** Says how the question ended, and what the first answer was. */
export function closedError(row: Partial<Pick<ClarificationRecord, 'kind' | 'answer'>> & Pick<ClarificationRecord, 'status'>): AppError {
  const status = row.status === 'pending' ? 'expired' : row.status;
  const answer = row.answer === undefined ? {} : row.kind === 'approval' ? readDecision(row.answer) : { answer: row.answer };
  return new AppError('clarification_closed', { details: { status, ...answer } });
}
