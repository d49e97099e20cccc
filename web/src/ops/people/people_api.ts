/** Questions and approvals that wait. Every failure rejects with a RequestError. */
import type { ApprovalAnswer, ApprovalData, ClarificationData } from '../../../../src/port/run_event';
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type PeopleView = Answer<'OpsPeople'>;
export type WaitingRow = PeopleView['waiting'][number];

export interface WaitingTexts {
  questions: ReadonlyMap<string, ClarificationData>;
  approvals: ReadonlyMap<string, ApprovalData>;
}

/** Reads what the questions say; a list that the key may not read stays empty. */
export async function readTexts(): Promise<WaitingTexts> {
  const [questions, approvals] = await Promise.all([
    readPending<ClarificationData>('/clarifications'),
    readPending<ApprovalData>('/approvals'),
  ]);
  return { questions, approvals };
}

async function readPending<T extends { requestId: string }>(path: string): Promise<Map<string, T>> {
  const page = await callRest<Page<T>>('GET', `${path}?status=pending&limit=200`).catch(() => ({ data: [] }));
  return new Map(page.data.map(row => [row.requestId, row]));
}

export const answerQuestion = (requestId: string, answer: string): Promise<unknown> =>
  callRest('POST', `/clarifications/${encodeURIComponent(requestId)}`, { answer });

export const decideApproval = (requestId: string, answer: ApprovalAnswer): Promise<unknown> =>
  callRest('POST', `/approvals/${encodeURIComponent(requestId)}`, answer);
