/** Shows one message: opens its session and loads earlier turns until the message is on the page. */
import type { MessageTarget } from '../platform/session_url';
import { type ChatContext, type Conversation, isShown } from './chat_context';
import type { SessionLoader } from './session_loader';

/** The caller has opened the session of the target. Never rejects: the state shows a session that could not be loaded. */
export async function revealMessage(context: ChatContext, loader: SessionLoader, target: MessageTarget): Promise<void> {
  const { store, conversation } = context;
  const isLoaded = () => store.get().view.turns.some(turn => turn.runId === target.runId);
  await untilLoaded(context, conversation);
  try {
    while (isShown(context, conversation) && !isLoaded() && store.get().hasEarlierTurns) await loader.loadEarlier(conversation);
  } catch {
    // The button for earlier messages is still there.
  }
  if (isShown(context, conversation) && isLoaded()) store.set({ revealed: { ...target } });
}

/** Resolves when the conversation is loaded, could not be loaded, or left the page. */
function untilLoaded(context: ChatContext, conversation: Conversation): Promise<void> {
  const { store } = context;
  return new Promise(resolve => {
    const check = () => {
      if (isShown(context, conversation) && store.get().phase === 'loading') return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.subscribe(check);
    check();
  });
}
