/** Answers questions and decides approvals. */
import { RequestError } from '../api/request_error';
import type { ClientMessage } from '../connection/protocol';
import { updateQuestion } from '../state/session_reducer';
import type { ApprovalAnswer, AskedChange, ClarifyStatus } from '../state/view_types';
import type { ChatContext } from './chat_context';

/** Resolves with whether this answer counts; another one may have been first. */
export async function answerQuestion(context: ChatContext, requestId: string, answer: string): Promise<boolean> {
  const { sessionId } = context.store.get();
  if (!sessionId) return false;
  return respond(context, { type: 'clarify_response', sessionId, requestId, answer }, { answer }, ({ answer: winner }) =>
    typeof winner === 'string' ? { answer: winner } : {},
  );
}

export async function decideApproval(context: ChatContext, requestId: string, said: ApprovalAnswer): Promise<boolean> {
  const { sessionId } = context.store.get();
  if (!sessionId) return false;
  return respond(context, { type: 'approval_response', sessionId, requestId, ...said }, { said }, ({ decision, reason }) =>
    isDecision(decision) ? { said: { decision, ...(typeof reason === 'string' && { reason }) } } : {},
  );
}

export async function extendQuestion({ store, socket }: ChatContext, requestId: string): Promise<void> {
  const { sessionId } = store.get();
  if (!sessionId) return;
  const { expiresAt } = await socket.request<{ expiresAt: string }>({ type: 'clarify_extend', sessionId, requestId });
  store.set({ view: updateQuestion(store.get().view, requestId, { expiresAt }) });
}

/** `won` reads the earlier answer from the details of an error. */
async function respond(
  { store, socket }: ChatContext,
  message: Extract<ClientMessage, { requestId: string }>,
  change: AskedChange,
  won: (details: Record<string, unknown>) => AskedChange,
): Promise<boolean> {
  const update = (more: AskedChange) => store.set({ view: updateQuestion(store.get().view, message.requestId, more) });
  // Mark it before the request, whose event may arrive ahead of its acknowledgement.
  update({ mine: true });
  try {
    await socket.request(message);
    update({ status: 'answered', ...change });
    return true;
  } catch (error) {
    update({ mine: false });
    if (!(error instanceof RequestError) || error.code !== 'clarification_closed') throw error;
    update({ status: toClosedStatus(error.details['status']), ...won(error.details) });
    return false;
  }
}

function toClosedStatus(status: unknown): ClarifyStatus {
  return status === 'answered' || status === 'expired' ? status : 'cancelled';
}

function isDecision(value: unknown): value is ApprovalAnswer['decision'] {
  return value === 'allow_once' || value === 'allow_session' || value === 'deny';
}
