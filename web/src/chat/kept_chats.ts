/** The chats that this device keeps: see web/src/offline. Nothing here rejects. */
import { RequestError } from '../api/request_error';
import type { SessionSummary } from '../api/rest_types';
import { type ChatContext, type Conversation, isShown } from './chat_context';
import type { Author } from './kept_messages';

const load = () => import('../offline/kept_chats');

/** Shows the copy of a chat. Resolves with false without one. */
export async function showKeptChat(context: ChatContext, conversation: Conversation): Promise<boolean> {
  const { sessionId = '' } = conversation;
  const copy = await load().then(
    ({ readChat }) => readChat(sessionId),
    () => undefined,
  );
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
export async function findKeptPerson({ rest }: ChatContext): Promise<Author | undefined> {
  const isAway = await rest.me().then(
    () => false,
    (error: unknown) => error instanceof RequestError && error.isLost,
  );
  return isAway ? import('../offline/device_database').then(({ readPerson }) => readPerson()).catch(() => undefined) : undefined;
}

/** Resolves with the chats of this device, the last used chat first. */
export async function listKeptChats(): Promise<SessionSummary[]> {
  return load().then(
    ({ listChats }) => listChats(),
    () => [],
  );
}

/** Drops the copies of chats that the person has deleted. */
export function dropKeptChats(ids: readonly string[]): void {
  void load().then(
    ({ dropChats }) => dropChats(ids),
    () => undefined,
  );
}
