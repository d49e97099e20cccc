/** Tells the other people who have the chat open that this person types. */
import { findPresent, partInChat } from '../state/chat_people';
import type { ChatContext } from './chat_context';

/** Milliseconds between two messages while the person goes on typing. */
const EVERY_MS = 3000;
const NEVER = { sessionId: '', at: 0 };

export interface TypingNotice {
  /** Call it at every key press in a message or an answer of the open chat. It sends nothing while nobody else is there. */
  noteKey(): void;
  /** What was typed is sent or gone, so the next key press counts at once. */
  end(): void;
}

export function createTypingNotice({ store, socket }: Pick<ChatContext, 'store' | 'socket'>): TypingNotice {
  let last = NEVER;
  return {
    noteKey() {
      const state = store.get();
      const { sessionId } = state;
      const isSeen = findPresent(state).length > 1 && partInChat(state) !== 'watcher';
      if (sessionId === undefined || !isSeen) return;
      if (last.sessionId === sessionId && Date.now() - last.at < EVERY_MS) return;
      last = { sessionId, at: Date.now() };
      socket.request({ type: 'typing', sessionId }).catch(() => undefined);
    },
    end: () => {
      last = NEVER;
    },
  };
}
