/** Reads and answers what a rule or an agent asks this person about chats that the person does not see. */
import { callRest } from '../../api/call_rest';
import { readPages } from '../../api/rest_client';
import type { ApprovalAnswer, ApprovalData, ClarificationData } from '../../state/view_types';

interface AskedFields {
  /** Whose message made the agent ask. */
  askedBy?: string;
}

export type AskedApproval = ApprovalData & AskedFields & { kind: 'approval' };
export type AskedQuestion = ClarificationData & AskedFields & { kind: 'question' };
export type AskedRow = AskedApproval | AskedQuestion;

const MAX_ROWS = 100;

/** Oldest first; approvals before questions. `canDecide`: the person may decide approvals. */
export async function listAsked(canDecide: boolean): Promise<AskedRow[]> {
  const read = <T extends AskedFields>(path: string) =>
    readPages<T>(`/${path}?status=pending&chatHidden=true&limit=100`, { maxRows: MAX_ROWS });
  const [approvals, questions] = await Promise.all([
    canDecide ? read<Omit<AskedApproval, 'kind'>>('approvals') : [],
    read<Omit<AskedQuestion, 'kind'>>('clarifications'),
  ]);
  return [
    ...approvals.map(row => ({ ...row, kind: 'approval' as const })),
    ...questions.map(row => ({ ...row, kind: 'question' as const })),
  ];
}

export const decideAsked = (requestId: string, answer: ApprovalAnswer): Promise<{ status: 'answered' | 'pending' }> =>
  callRest('POST', `/approvals/${encodeURIComponent(requestId)}`, answer);

export async function answerAsked(requestId: string, answer: string): Promise<void> {
  await callRest('POST', `/clarifications/${encodeURIComponent(requestId)}`, { answer });
}
