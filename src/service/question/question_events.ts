/** Turns questions into events, errors and the facts that observers get. */
import { AppError } from '../../errors';
import { asksColleagues, type GivenApproval, type YesVote } from '../../port/approval_review';
import type { WorkBegun, WorkEnded } from '../../port/observer';
import { LOCAL_PRINCIPAL } from '../../port/principal';
import type { ApprovalAnswer, ApprovalData, ClarificationData, RunEventBody } from '../../port/run_event';
import type { ApprovalSubject, GivenAnswer, QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { ClarifyOutcome } from '../../tools/question';
import { commandOf } from '../../utils/command_of';
import { toIsoTime } from '../../utils/iso_time';
import { type AuditEntry, byActor } from '../audit/audit_log';
import { toObservedRun } from '../run_log/observed_run';

type ClosedQuestion = Pick<QuestionRecord, 'status'> & Partial<Pick<QuestionRecord, 'kind' | 'answer'>>;
type QuestionEvent = Extract<RunEventBody, { type: 'clarify_request' | 'clarify_end' | 'approval_request' | 'approval_end' }>;

/** Returns the event that asks the question. */
export function requestEvent(question: QuestionRecord): QuestionEvent {
  return question.approval
    ? { type: 'approval_request', data: toApprovalData(question, question.approval) }
    : { type: 'clarify_request', data: toClarificationData(question) };
}

/** Returns the event that ends the question. An approval without an answer ends as `deny`. */
export function endEvent({ id: requestId, kind }: QuestionRecord, outcome: ClarifyOutcome): QuestionEvent {
  const { status } = outcome;
  const { answer, decidedBy, approvals } = outcome.status === 'answered' ? outcome : {};
  const by = decidedBy === undefined ? {} : { decidedBy };
  if (kind === 'clarification') return { type: 'clarify_end', data: { requestId, status, answer, ...by } };
  const decision: ApprovalAnswer = answer === undefined ? { decision: 'deny' } : readDecision(answer);
  return { type: 'approval_end', data: { requestId, status, ...decision, ...by, approvals: approvals && givenApprovals(approvals) } };
}

/** Returns an answer with the key of the person who gave it. Without keys the answer names no key. */
export const answerFrom = (keyName: string | undefined, answer: string): GivenAnswer => ({
  answer,
  decidedBy: keyName !== undefined && keyName !== LOCAL_PRINCIPAL.keyName ? keyName : undefined,
});

/** Returns the row of the audit log for an answer. `askedFor`: the key of the run; the row names it when another key answered. */
export function answerEntry(question: QuestionRecord, { answer, decidedBy, approvals }: GivenAnswer, askedFor?: string): AuditEntry {
  const { tenantId, id: target, sessionId, runId, approval } = question;
  const who = byActor({ tenantId, keyName: decidedBy });
  const details = { sessionId, runId, onBehalfOf: askedFor !== undefined && askedFor !== who.actor ? askedFor : undefined };
  if (!approval) return { ...who, action: 'question.answer', target, details };
  const { decision, args } = readDecision(answer);
  const changed = args ? { changedArguments: true } : {};
  const action = decision === 'deny' ? 'approval.deny' : 'approval.allow';
  return {
    ...who,
    action,
    target,
    details: {
      ...details,
      tool: approval.tool,
      command: commandOf({ args: args ?? approval.args }),
      directory: approval.directory,
      decision,
      approvals: approvals?.length,
      needed: approvals && approval.review?.approvers,
      ...changed,
    },
  };
}

/** Returns the stored answer of a question. */
export const givenAnswer = ({ answer = '', decidedBy, approvals }: Partial<GivenAnswer>): GivenAnswer => ({ answer, decidedBy, approvals });

/** Returns the public form of approvals. */
export const givenApprovals = (votes: readonly YesVote[]): GivenApproval[] => votes.map(({ by, at }) => ({ by, at: toIsoTime(at) }));

/** Returns the public fields of a clarification. */
export function toClarificationData({ id, question, choices, askedTo: to, escalate, expiresAt }: QuestionRecord): ClarificationData {
  return { requestId: id, question, choices, to, escalate, expiresAt: new Date(expiresAt).toISOString() };
}

/** Returns the public fields of an approval. */
export function toApprovalData(question: QuestionRecord, subject: ApprovalSubject): ApprovalData {
  const { id: requestId, toolCallId = '', question: reason, expiresAt, approvals = [], escalatedAt } = question;
  const { tool, label, args, sessionScope, risk, taint, diff, review } = subject;
  return {
    requestId,
    toolCallId,
    tool,
    label,
    args,
    reason,
    sessionScope,
    risk,
    taint: taint && [...taint],
    diff,
    ...(review &&
      asksColleagues(review) && {
        needed: review.approvers,
        approvals: givenApprovals(approvals),
        notBy: review.notBy && [...review.notBy],
      }),
    to: review?.to,
    escalatedTo: escalatedAt === undefined ? undefined : review?.escalate?.to,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** Parses the stored answer to an approval. */
export const readDecision = (answer: string): ApprovalAnswer => JSON.parse(answer) as ApprovalAnswer;

/** Returns the answer to an approval as the store keeps it. */
export const writeDecision = (answer: ApprovalAnswer): string => JSON.stringify(answer);

/** Returns `clarification_closed` with the final status and the winning answer. A pending question counts as expired. */
export function closedError({ kind, answer, status }: ClosedQuestion): AppError {
  const winner = answer === undefined ? {} : kind === 'approval' ? readDecision(answer) : { answer };
  return new AppError('clarification_closed', { details: { status: status === 'pending' ? 'expired' : status, ...winner } });
}

/** Describes the wait for a person. */
export function toObservedWait(run: RunRecord, { id: questionId, kind, toolCallId, approval }: QuestionRecord): WorkBegun['wait'] {
  const ofCall = { toolCallId, tool: approval?.tool };
  return { run: toObservedRun(run), questionId, kind, ...ofCall };
}

export function toWaitEnd({ kind }: QuestionRecord, outcome: ClarifyOutcome): WorkEnded['wait'] {
  if (outcome.status !== 'answered' || kind !== 'approval') return { outcome: outcome.status };
  const { decision, args } = readDecision(outcome.answer);
  return { outcome: 'answered', decision, isEdited: args && true };
}
