/** Deletes chats, and what was written in them and not sent. */
import { EMPTY_DRAFT, writeDraft } from '../platform/drafts';
import { findChatRow } from '../state/app_state';
import { allRows } from '../state/chat_lists';
import type { ChatContext } from './chat_context';
import { dropKeptChats } from './kept_chats';
import type { SessionDirectory } from './session_directory';

interface RemoveDeps {
  context: ChatContext;
  sessions: SessionDirectory;
}

/** Deletes chats. Resolves with the ids of those that are deleted. `onOpenRemoved`: the open chat is one of them. */
export async function removeChats(
  { context, sessions }: RemoveDeps,
  ids: readonly string[],
  onOpenRemoved: () => void,
): Promise<readonly string[]> {
  const row = findChatRow(context.store.get());
  const rootIds = allRows(context.store.get()).flatMap(({ id, rootSessionId }) => (rootSessionId && ids.includes(id) ? rootSessionId : []));
  const removed = await sessions.remove(ids);
  void dropKeptChats(context, [...removed, ...rootIds]);
  for (const id of removed) {
    clearDraft(context, id);
    context.draftImages.write(id, []);
  }
  if (row && removed.includes(row.id)) onOpenRemoved();
  return removed;
}

/** Forgets the text that was written in a chat, or in a new one, and not sent. */
export function clearDraft({ store }: ChatContext, sessionId: string | undefined): void {
  writeDraft(sessionId, EMPTY_DRAFT);
  if (store.get().sessionId === sessionId) store.set({ draft: EMPTY_DRAFT });
}
