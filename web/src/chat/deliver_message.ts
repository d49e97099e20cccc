/** Sends one message to the gateway: first the choices for its chat, then the message. */
import { RequestError } from '../api/request_error';
import type { ChatAck } from '../connection/protocol';
import { countSteering } from '../state/session_reducer';
import { attachedFiles } from './attached_files';
import type { ChatContext, Conversation } from './chat_context';
import type { OutgoingMessage } from './kept_messages';

/** A message with images is up to 900 kB, and the gateway reads its files, which takes a while on a slow connection. */
const IMAGES_TIMEOUT_MS = 120_000;

export interface DeliveryListeners {
  /** Called when a session was created for the conversation ahead of its first message. */
  onSession(conversation: Conversation): Promise<void>;
  onStored(message: OutgoingMessage, ack: ChatAck): void;
  onRefused(message: OutgoingMessage, error: RequestError): void;
  /** Called before the request leaves. Resolves with false when the connection was lost since, and with it the checked login. Never rejects. */
  onSending(message: OutgoingMessage): Promise<boolean>;
}

/** Resolves with true when the message is stored or refused, with false when it was lost and must be sent again. */
export async function deliverMessage(context: ChatContext, listeners: DeliveryListeners, message: OutgoingMessage): Promise<boolean> {
  try {
    if (!message.wasSent) await storeChoices(context, listeners, message.conversation);
    // Dropped: the person left the temporary chat meanwhile.
    if (message.conversation.isLeft) return true;
    message.wasSent = true;
    if (!(await listeners.onSending(message))) return false;
    message.alikeBefore ??= countSteering(context.store.get().view, message.text);
    listeners.onStored(message, await requestRun(context, message));
    // The person may have chosen another model or level during the request. If storing this fails, the next message stores it.
    storeChoices(context, listeners, message.conversation).catch(() => undefined);
    return true;
  } catch (thrown) {
    const error = thrown instanceof RequestError ? thrown : new RequestError('internal', String(thrown), false);
    // Without a login the message is sent after the next login.
    if (error.isLost || error.code === 'unauthenticated') return false;
    listeners.onRefused(message, error);
    return true;
  }
}

async function requestRun({ socket, locale }: ChatContext, message: OutgoingMessage): Promise<ChatAck> {
  const { clientMessageId, text, conversation, onBusy = 'enqueue' } = message;
  const { sessionId, agent } = conversation;
  const target = sessionId ? { sessionId } : { agent };
  const request = { type: 'chat', text, ...target, clientMessageId, locale: locale(), onBusy } as const;
  const files = attachedFiles(text);
  const images = message.images.length > 0 ? { images: message.images.map(toWrittenImage) } : {};
  const timeout = message.images.length > 0 || files.length > 0 ? IMAGES_TIMEOUT_MS : undefined;
  const send = (attached: { files?: { path: string }[] }) => socket.request<ChatAck>({ ...request, ...images, ...attached }, timeout);
  if (files.length === 0) return send({});
  try {
    return await send({ files });
  } catch (thrown) {
    // A file that is gone or too large is no part of the message: the agent has its path.
    if (thrown instanceof RequestError && thrown.param?.startsWith('/files')) return send({});
    throw thrown;
  }
}

function toWrittenImage(address: string): { mediaType: string; base64: string } {
  const [head = '', base64 = ''] = address.split(',');
  return { mediaType: head.slice('data:'.length, -';base64'.length), base64 };
}

/** Stores what was chosen before the session existed. Creates the session if there is none yet. */
async function storeChoices({ socket, rest }: ChatContext, listeners: DeliveryListeners, conversation: Conversation): Promise<void> {
  const { sessionId, agent, thinkingLevel, model, instructions, temporary } = conversation;
  if (sessionId) {
    if (thinkingLevel) await socket.request({ type: 'set_thinking_level', sessionId, level: thinkingLevel });
    if (model !== undefined) await rest.chooseModel(sessionId, model);
    if (instructions !== undefined) await rest.changeSession(sessionId, { instructions });
  } else if (thinkingLevel || model || instructions || temporary) {
    const chosen = { agent, thinkingLevel, model: model || undefined, instructions: instructions || undefined, temporary };
    const created = await rest.createSession(chosen);
    conversation.sessionId = created.id;
    await listeners.onSession(conversation);
  }
  if (conversation.thinkingLevel === thinkingLevel) conversation.thinkingLevel = undefined;
  if (conversation.model === model) conversation.model = undefined;
  if (conversation.instructions === instructions) conversation.instructions = undefined;
}
