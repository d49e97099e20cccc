/** Sends messages of the person, also again after a failure. */
import type { OnBusy } from '../connection/protocol';
import { createUniqueId } from '../platform/unique_id';
import { addPending, markUnsent } from '../state/session_reducer';
import type { Turn } from '../state/view_types';
import type { ChatContext, Conversation } from './chat_context';
import type { Outbox } from './outbox';

interface SendingDeps {
  context: ChatContext;
  outbox: Outbox;
}

export function sendMessage({ context, outbox }: SendingDeps, text: string, images: readonly string[], onBusy?: OnBusy): void {
  const { store, conversation } = context;
  const clientMessageId = createUniqueId();
  store.set({ view: addPending(store.get().view, clientMessageId, text, images) });
  outbox.add({ clientMessageId, text, images, conversation, onBusy });
}

/** Sends a message to a conversation that is not on the page. */
export function sendInBackground({ outbox }: SendingDeps, conversation: Conversation, text: string, images: readonly string[]): void {
  outbox.add({ clientMessageId: createUniqueId(), text, images, conversation });
}

/** Sends a refused message again under its id. */
export function sendAgain({ context, outbox }: SendingDeps, { clientMessageId, input, images = [] }: Turn): void {
  const { store, conversation } = context;
  if (!clientMessageId) return;
  store.set({ view: markUnsent(store.get().view, clientMessageId, undefined) });
  outbox.add({ clientMessageId, text: input, images, conversation });
}
