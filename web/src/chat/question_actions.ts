/** Answers questions and decides approvals. */
import { RequestError } from '../api/request_error';
import type { ClientMessage } from '../connection/protocol';
import { updateQuestion } from '../state/session_reducer';
import {
  type ApprovalAnswer,
  type ApprovalItem,
  type AskedChange,
  type ClarifyStatus,
  EMPTY_VIEW,
  findQuestion,
} from '../state/view_types';
import type { ChatContext } from './chat_context';

/** Answers a question. Resolves with whether this answer counts; another answer may have been first. */
export async function answerQuestion(context: ChatContext, requestId: string, answer: string): Promise<boolean> {
  const sessionId = findSession(context, requestId);
  if (!sessionId) return false;
  return respond(context, { type: 'clarify_response', sessionId, requestId, answer }, { answer }, ({ answer: winner }) =>
    typeof winner === 'string' ? { answer: winner } : {},
  );
}

export async function decideApproval(context: ChatContext, requestId: string, said: ApprovalAnswer): Promise<boolean> {
  const sessionId = findSession(context, requestId);
  if (!sessionId) return false;
  return respond(context, { type: 'approval_response', sessionId, requestId, ...said }, { said }, ({ decision, reason }) =>
    isDecision(decision) ? { said: { decision, reason: typeof reason === 'string' ? reason : undefined } } : {},
  );
}

export async function extendQuestion(context: ChatContext, requestId: string): Promise<void> {
  const sessionId = findSession(context, requestId);
  if (!sessionId) return;
  const { expiresAt } = await context.socket.request<{ expiresAt: string }>({ type: 'clarify_extend', sessionId, requestId });
  update(context, requestId, { expiresAt });
}

/** Returns the session that can answer the question: the open session, which also has the questions of its crew, or the session of a member. */
function findSession({ store }: ChatContext, requestId: string): string | undefined {
  const { children, sessionId, view } = store.get();
  if (findQuestion(view, requestId)) return sessionId;
  return Object.keys(children).find(id => findQuestion(children[id] ?? EMPTY_VIEW, requestId)) ?? sessionId;
}

/** Updates a question in all turns: a question of a member stands in its own run and in the run that gave it the task. */
function update({ store }: ChatContext, requestId: string, change: AskedChange): void {
  const { children, view } = store.get();
  const changed = Object.entries(children).map(([id, child]) => [id, updateQuestion(child, requestId, change)] as const);
  store.set({ view: updateQuestion(view, requestId, change), children: Object.fromEntries(changed) });
}

/** `won` reads the earlier answer from the details of an error. */
async function respond(
  context: ChatContext,
  message: Extract<ClientMessage, { requestId: string }>,
  change: AskedChange,
  won: (details: Record<string, unknown>) => AskedChange,
): Promise<boolean> {
  const apply = (more: AskedChange) => update(context, message.requestId, more);
  // Marked before the request, because the event may arrive ahead of the acknowledgement.
  apply({ mine: true });
  try {
    const { status, approvals } = await context.socket.request<Pick<ApprovalItem, 'approvals'> & { status?: string }>(message);
    if (status === 'pending') apply({ mine: false, hasMyYes: true, approvals });
    else apply({ status: 'answered', ...change });
    return true;
  } catch (error) {
    apply({ mine: false });
    if (!(error instanceof RequestError) || error.code !== 'clarification_closed') throw error;
    apply({ status: toClosedStatus(error.details['status']), ...won(error.details) });
    return false;
  }
}

function toClosedStatus(status: unknown): ClarifyStatus {
  return status === 'answered' || status === 'expired' ? status : 'cancelled';
}

function isDecision(value: unknown): value is ApprovalAnswer['decision'] {
  return value === 'allow_once' || value === 'allow_session' || value === 'deny';
}
