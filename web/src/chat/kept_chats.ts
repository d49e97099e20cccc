/** The chats that this device keeps: see web/src/offline. Nothing here rejects. */
import { RequestError } from '../api/request_error';
import type { SessionSummary } from '../api/rest_types';
import { type ChatContext, type Conversation, isShown } from './chat_context';
import type { Author } from './kept_messages';

/** Shows the copy of a chat. Resolves with false without one. */
export async function showKeptChat(context: ChatContext, conversation: Conversation): Promise<boolean> {
  const { sessionId = '' } = conversation;
  const copy = await (await load(context))?.readChat(sessionId);
  if (!copy || !isShown(context, conversation)) return false;
  const { store } = context;
  const { turns, session, keptAt } = copy;
  const ids = new Set(turns.map(({ runId }) => runId));
  conversation.kept = turns;
  store.set({
    openSession: session,
    view: { turns: [...turns, ...store.get().view.turns.filter(({ runId }) => runId === undefined || !ids.has(runId))] },
    phase: 'kept',
    keptAt,
  });
  return true;
}

/** Resolves with the last person that the gateway has named, when it cannot be reached now. */
export async function findKeptPerson(context: ChatContext): Promise<Author | undefined> {
  const isAway = await context.rest.me().then(
    () => false,
    (error: unknown) => error instanceof RequestError && error.isLost,
  );
  return isAway ? (await load(context))?.readPerson() : undefined;
}

/** Resolves with the chats of this device, the last used chat first. */
export async function listKeptChats(context: ChatContext): Promise<SessionSummary[]> {
  return (await load(context))?.listChats() ?? [];
}

/** Drops the copies of chats that the person has deleted. */
export async function dropKeptChats(context: ChatContext, ids: readonly string[]): Promise<void> {
  await (await load(context))?.dropChats(ids);
}

/** Resolves with undefined on pages that keep no chats, and when the code cannot be loaded. */
const load = async ({ loadKeptChats }: ChatContext) => loadKeptChats?.().catch(() => undefined);
