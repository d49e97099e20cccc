/** Settings of the open chat that are not in its list row: instructions for the agent, and whether the chat is temporary. */
import { API_BASE } from '../api/call_rest';
import type { SessionSummary } from '../api/rest_types';
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

/**
 * Returns the conversation of a session that the page shows next. Deletes the temporary chat before it only when `known` says that the session
 * is no part of it. A session that the page does not know yet may be a part, and keeps the temporary chat until it is loaded.
 */
export function moveTo(context: ChatContext, sessionId: string | undefined, known: SessionSummary | undefined): Conversation {
  const { conversation } = context;
  const chat = conversation.temporary ? conversation : conversation.temporaryChat;
  const temporary = known && isTemporaryChat(known) ? true : undefined;
  // A chat without a session has no parts.
  if (chat?.sessionId !== undefined && sessionId !== undefined) {
    if (sessionId === chat.sessionId) return chat;
    if (!known || isPart(known)) return { sessionId, temporary, temporaryChat: temporary ? undefined : chat };
  }
  if (chat) leaveTemporaryChat(context, chat);
  return sessionId === undefined ? { agent: context.store.get().agent } : { sessionId, temporary };
}

/** Deletes the temporary chat that the page kept behind this one when the loaded session is no part of it. */
export function settleTemporaryChat(context: ChatContext, conversation: Conversation, session: SessionSummary): void {
  const { temporaryChat } = conversation;
  if (!temporaryChat || isPart(session)) return;
  conversation.temporaryChat = undefined;
  leaveTemporaryChat(context, temporaryChat);
}

/** Returns false for the chat of a crew member too, which shows the way back to the temporary chat. */
export const isTemporaryChat = ({ temporary, parentSessionId }: SessionSummary): boolean =>
  temporary === true && parentSessionId === undefined;

/** Returns true for a session that may belong to a temporary chat: another branch, or the chat of a crew member. */
const isPart = ({ temporary, parentSessionId }: SessionSummary): boolean => temporary === true || parentSessionId !== undefined;

function leaveTemporaryChat(context: ChatContext, left: Conversation): void {
  left.isLeft = true;
  deleteLeftSession(context, left);
}

/** Deletes the session of a temporary chat that was left, if the gateway has made it. The gateway deletes it later if this fails. */
export function deleteLeftSession({ rest }: ChatContext, { sessionId, isLeft }: Conversation): void {
  if (isLeft && sessionId) void rest.deleteSession(sessionId).catch(() => undefined);
}

/** The browser finishes a request with `keepalive` after the page is gone. */
function deleteOnLeave({ temporary, sessionId }: Conversation): void {
  if (!temporary || !sessionId) return;
  void fetch(`${API_BASE}/sessions/${encodeURIComponent(sessionId)}`, { method: 'DELETE', keepalive: true }).catch(() => undefined);
}
