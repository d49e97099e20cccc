/** Questions and approvals that wait, of every tenant that the key sees. Every failure rejects with a RequestError. */
import type { ApprovalAnswer } from '../../../../src/port/run_event';
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

export type PeopleView = Answer<'OpsPeople'>;
/** A row of the list. It has no texts, because texts need other scopes. */
export type WaitingRow = PeopleView['waiting'][number];
export type WaitingQuestion = Answer<'OpsQuestion'>;

export type OpenApproval = Answer<'Approval'>;

const pathOf = (requestId: string): string => `/ops/people/${encodeURIComponent(requestId)}`;

export const readQuestion = (requestId: string): Promise<WaitingQuestion> => callRest('GET', pathOf(requestId));

export const answerQuestion = (requestId: string, answer: string): Promise<unknown> => callRest('POST', pathOf(requestId), { answer });

export const decideApproval = (requestId: string, decision: ApprovalAnswer): Promise<unknown> =>
  callRest('POST', pathOf(requestId), { decision });

/** The open approvals of the own tenant, oldest first, at most 20. */
export const listApprovals = async (): Promise<OpenApproval[]> =>
  (await callRest<{ data: OpenApproval[] }>('GET', '/approvals?status=pending')).data;

/** Decides approvals together. Each result says whether it was refused. */
export const decideTogether = async (ids: readonly string[], decision: 'allow_once' | 'deny'): Promise<Answer<'BulkDecided'>['data']> =>
  (await callRest<Answer<'BulkDecided'>>('POST', '/approvals/decide', { ids, decision })).data;
