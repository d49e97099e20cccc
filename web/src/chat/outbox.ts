/**
 * The messages that the gateway has not stored yet. They are sent one by one, in order, each under its own id. A message that was lost with
 * the connection is sent again; the gateway drops the duplicate by its id. Messages are kept over a reload; each tab sends those that it finds at
 * its start too, so that a closed tab loses none.
 */
import { RequestError } from '../api/request_error';
import type { ChatAck } from '../connection/protocol';
import { dropMessage, type KeptMessage, keepMessage, readMessages, readTabId } from '../platform/message_store';
import { createUniqueId } from '../platform/unique_id';
import type { ChatContext, Conversation } from './chat_context';

export interface OutgoingMessage {
  clientMessageId: string;
  text: string;
  /** data: addresses in base64. */
  images: readonly string[];
  conversation: Conversation;
  /** True when the request was sent at least once. The request must not change after that, or the gateway takes it for another message. */
  wasSent?: boolean;
  /** Milliseconds since 1970. */
  at?: number;
}

export interface Outbox {
  add(message: OutgoingMessage): void;
  /** Sends the waiting messages, e.g. after a reconnect. */
  send(): void;
  /** Reads the messages that an earlier page kept, and sends them. Resolves with those that this tab began a new chat with. Never rejects. */
  restore(): Promise<readonly OutgoingMessage[]>;
  /** Messages of the session that are not stored yet. */
  waiting(sessionId: string): readonly OutgoingMessage[];
}

export interface OutboxListeners {
  /** Called when a session was created for the conversation ahead of its first message. */
  onSession(conversation: Conversation): Promise<void>;
  onStored(message: OutgoingMessage, ack: ChatAck): void;
  onRefused(message: OutgoingMessage, error: RequestError): void;
}

/** Pause after a failure while the socket is connected. */
const RETRY_PAUSE_MS = 1000;
/** A message with images is up to 900 kB, which takes a while on a slow connection. */
const IMAGES_TIMEOUT_MS = 120_000;

export function createOutbox(context: ChatContext, listeners: OutboxListeners): Outbox {
  const messages: OutgoingMessage[] = [];
  let sending = false;
  const tab = readTabId(createUniqueId);
  const keep = (message: OutgoingMessage) => keepMessage(toKept(message, tab, context.store.get().me?.tenant));

  async function sendAll(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      for (let message = messages[0]; message && canSend(context); message = messages[0]) {
        const isDone = await deliver(context, { ...listeners, onSending: keep }, message);
        if (isDone) {
          messages.shift();
          void dropMessage(message.clientMessageId);
        } else await new Promise(resolve => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    } finally {
      sending = false;
    }
  }

  return {
    add: message => {
      message.at ??= Date.now();
      messages.push(message);
      void keep(message);
      void sendAll();
    },
    restore: async () => {
      const { me } = context.store.get();
      const found = (await readMessages()).filter(
        kept => kept.tenant === me?.tenant && !messages.some(({ clientMessageId }) => clientMessageId === kept.clientMessageId),
      );
      const restored = toOutgoing(found);
      messages.unshift(...restored);
      void sendAll();
      return restored.filter((message, index) => !message.conversation.sessionId && found[index]?.tab === tab);
    },
    send: () => void sendAll(),
    waiting: sessionId => messages.filter(message => message.conversation.sessionId === sessionId),
  };
}

/** Ids of new chats, for messages that belong together before there is a session. */
const conversationIds = new WeakMap<Conversation, string>();

function idOf(conversation: Conversation): string {
  const id = conversationIds.get(conversation) ?? createUniqueId();
  conversationIds.set(conversation, id);
  return id;
}

function toKept({ conversation, at = 0, ...message }: OutgoingMessage, tab: string, tenant: string | undefined): KeptMessage {
  return { ...message, at, tab, tenant, sessionId: conversation.sessionId, conversationId: idOf(conversation) };
}

function toOutgoing(kept: readonly KeptMessage[]): OutgoingMessage[] {
  const conversations = new Map<string, Conversation>();
  return kept.map(({ clientMessageId, text, images, sessionId, conversationId, wasSent, at }) => {
    const conversation = conversations.get(conversationId) ?? { sessionId };
    conversations.set(conversationId, conversation);
    conversationIds.set(conversation, conversationId);
    return { clientMessageId, text, images, conversation, wasSent, at };
  });
}

const canSend = ({ socket, store }: ChatContext): boolean => socket.isOnline() && !store.get().isLoginNeeded;

interface DeliveryListeners extends OutboxListeners {
  /** Called before the request leaves. Never rejects. */
  onSending(message: OutgoingMessage): Promise<void>;
}

/** Resolves with true when the message is stored or refused, with false when it was lost and must be sent again. */
async function deliver(context: ChatContext, listeners: DeliveryListeners, message: OutgoingMessage): Promise<boolean> {
  try {
    if (!message.wasSent) await storeChoices(context, listeners, message.conversation);
    message.wasSent = true;
    await listeners.onSending(message);
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

function requestRun({ socket, locale }: ChatContext, message: OutgoingMessage): Promise<ChatAck> {
  const { clientMessageId, text, conversation } = message;
  const target = conversation.sessionId ? { sessionId: conversation.sessionId } : {};
  const request = { type: 'chat', text, ...target, clientMessageId, locale: locale(), onBusy: 'enqueue' } as const;
  if (message.images.length === 0) return socket.request<ChatAck>(request);
  return socket.request<ChatAck>({ ...request, images: message.images.map(toWrittenImage) }, IMAGES_TIMEOUT_MS);
}

function toWrittenImage(address: string): { mediaType: string; base64: string } {
  const [head = '', base64 = ''] = address.split(',');
  return { mediaType: head.slice('data:'.length, -';base64'.length), base64 };
}

/** Stores a thinking level and a model that were chosen before the session existed. Creates the session if there is none yet. */
async function storeChoices({ socket, rest }: ChatContext, listeners: OutboxListeners, conversation: Conversation): Promise<void> {
  const { sessionId, thinkingLevel, model } = conversation;
  if (sessionId) {
    if (thinkingLevel) await socket.request({ type: 'set_thinking_level', sessionId, level: thinkingLevel });
    if (model !== undefined) await rest.chooseModel(sessionId, model);
  } else if (thinkingLevel || model) {
    const created = await rest.createSession({ thinkingLevel, model: model || undefined });
    conversation.sessionId = created.id;
    await listeners.onSession(conversation);
  }
  if (conversation.thinkingLevel === thinkingLevel) conversation.thinkingLevel = undefined;
  if (conversation.model === model) conversation.model = undefined;
}
