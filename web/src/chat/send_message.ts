/** Sends messages of the person, also again after a failure. */
import type { Messages } from '../i18n/messages';
import { createUniqueId } from '../platform/unique_id';
import { addPending, markUnsent } from '../state/session_reducer';
import type { Turn } from '../state/view_types';
import { type ChatContext, isShown } from './chat_context';
import type { Outbox } from './outbox';

interface SendingDeps {
  context: ChatContext;
  outbox: Outbox;
  messages: () => Messages;
}

export function sendMessage({ context, outbox }: SendingDeps, text: string, images: readonly string[]): void {
  const { store, conversation } = context;
  const clientMessageId = createUniqueId();
  store.set({ view: addPending(store.get().view, clientMessageId, text, images) });
  outbox.add({ clientMessageId, text, images, conversation });
}

/** Sends a refused message again under its id, or the message of a failed run as a new one. */
export async function retryMessage(deps: SendingDeps, { state, clientMessageId, input, images = [] }: Turn): Promise<void> {
  const { context, outbox, messages } = deps;
  const { store, conversation } = context;
  if (state === 'unsent' && clientMessageId) {
    store.set({ view: markUnsent(store.get().view, clientMessageId, undefined) });
    return outbox.add({ clientMessageId, text: input, images, conversation });
  }
  if (images.length === 0) return sendMessage(deps, input, []);
  try {
    const { readSentImages } = await import('../images/prepare_images');
    const read = await readSentImages(images);
    if (isShown(context, conversation))
      sendMessage(
        deps,
        input,
        read.map(({ src }) => src),
      );
  } catch {
    context.notify(messages().requestFailed);
  }
}
