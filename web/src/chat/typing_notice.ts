/** Tells the other people who have the chat open that this person types. */
import { findPresent, mayWrite, partInChat } from '../state/chat_people';
import type { ChatContext } from './chat_context';

/** Milliseconds between two messages while the person goes on typing. */
const EVERY_MS = 3000;
const NEVER = { sessionId: '', at: 0 };

/** Returns a function to call after each change of the draft of the open chat. It sends nothing while nobody else is there. */
export function createTypingNotice({ store, socket }: Pick<ChatContext, 'store' | 'socket'>): (text: string) => void {
  let last = NEVER;
  return text => {
    // What was typed is sent or gone, so the next letter counts at once.
    if (text === '') last = NEVER;
    const state = store.get();
    const { sessionId } = state;
    const isSeen = findPresent(state).length > 1 && mayWrite(partInChat(state));
    if (text === '' || sessionId === undefined || !isSeen) return;
    if (last.sessionId === sessionId && Date.now() - last.at < EVERY_MS) return;
    last = { sessionId, at: Date.now() };
    socket.request({ type: 'typing', sessionId }).catch(() => undefined);
  };
}
