/** Settings of the open chat that are not in its list row: instructions for the agent, and whether the chat is temporary. */
import { API_BASE } from '../api/call_rest';
import type { Messages } from '../i18n/messages';
import { type ChatContext, type Conversation, isShown } from './chat_context';

export interface ChatSettings {
  /** Makes the new chat on the page temporary, or an ordinary one again. Does nothing once the chat has a message. */
  setTemporary(isTemporary: boolean): void;
  /** Stores the instructions of the chat; an empty text removes them. Resolves with whether they are stored, or wait for the first message. */
  setInstructions(text: string): Promise<boolean>;
}

export function createChatSettings(context: ChatContext, messages: () => Messages): ChatSettings {
  const { store, rest } = context;
  addEventListener('pagehide', () => deleteOnLeave(context.conversation));
  return {
    setTemporary: isTemporary => {
      const { sessionId, view } = store.get();
      if (sessionId !== undefined || view.turns.length > 0) return;
      context.conversation.temporary = isTemporary || undefined;
      store.set({ isTemporary });
    },
    setInstructions: async text => {
      const { conversation } = context;
      const instructions = text.trim() || null;
      if (!conversation.sessionId) {
        conversation.instructions = instructions;
        store.set({ instructions: instructions ?? undefined });
        return true;
      }
      try {
        await rest.changeSession(conversation.sessionId, { instructions });
      } catch {
        context.notify(messages().requestFailed);
        return false;
      }
      if (isShown(context, conversation)) store.set({ instructions: instructions ?? undefined });
      return true;
    },
  };
}

/** Deletes a temporary chat that the person leaves, unless the page shows another branch of it next. The gateway deletes it later if this fails. */
export function leaveTemporaryChat(
  { rest }: Pick<ChatContext, 'rest'>,
  left: Conversation,
  next: { temporary?: boolean } | undefined,
): void {
  if (left.temporary && left.sessionId && !next?.temporary) void rest.deleteSession(left.sessionId).catch(() => undefined);
}

/** The browser finishes a request with `keepalive` after the page is gone. */
function deleteOnLeave({ temporary, sessionId }: Conversation): void {
  if (!temporary || !sessionId) return;
  void fetch(`${API_BASE}/sessions/${encodeURIComponent(sessionId)}`, { method: 'DELETE', keepalive: true }).catch(() => undefined);
}
