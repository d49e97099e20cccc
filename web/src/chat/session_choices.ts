/** The choices of a person for one chat: the thinking level and the model. Before the first message, the outbox stores the choice. */
import type { ThinkingLevel } from '../api/rest_types';
import type { Messages } from '../i18n/messages';
import { type ChatContext, isShown } from './chat_context';

export async function setThinkingLevel(context: ChatContext, level: ThinkingLevel, messages: () => Messages): Promise<void> {
  const { store, socket, conversation } = context;
  const before = store.get().thinkingLevel;
  store.set({ thinkingLevel: level });
  // An answer that is on its way, such as the ack of a subscription, may still have the earlier level.
  conversation.thinkingLevel = level;
  if (!conversation.sessionId) return;
  try {
    await socket.request({ type: 'set_thinking_level', sessionId: conversation.sessionId, level });
    if (conversation.thinkingLevel === level) conversation.thinkingLevel = undefined;
  } catch {
    conversation.thinkingLevel = undefined;
    if (isShown(context, conversation)) store.set({ thinkingLevel: before });
    context.notify(messages().requestFailed);
  }
}

/** Chooses the model of the chat on the page; undefined: the model of its agent. */
export async function chooseModel(context: ChatContext, model: string | undefined, messages: () => Messages): Promise<void> {
  const { store, rest, conversation } = context;
  const before = store.get().model;
  store.set({ model });
  const choice = model ?? null;
  // The outbox stores it too, so that a message that follows at once is not sent before the choice is stored.
  conversation.model = choice;
  if (!conversation.sessionId) return;
  try {
    await rest.chooseModel(conversation.sessionId, choice);
    if (conversation.model === choice) conversation.model = undefined;
  } catch {
    conversation.model = undefined;
    if (isShown(context, conversation)) store.set({ model: before });
    context.notify(messages().requestFailed);
  }
}

/** Reads the models and their states. A failure keeps the earlier ones. */
export async function loadModels({ rest, store }: ChatContext): Promise<void> {
  const page = await rest.listModels().catch(() => undefined);
  if (page) store.set({ models: page.data });
}
