/**
 * Messages on their way. They leave one by one in order, each under its own id, and stay here until the gateway says that they are stored;
 * what was lost with a connection is sent again and counted once by the gateway.
 */
import { RequestError } from '../api/request_error';
import type { ChatAck } from '../connection/protocol';
import type { ChatContext, Conversation } from './chat_context';

export interface OutgoingMessage {
  clientMessageId: string;
  text: string;
  conversation: Conversation;
  /** It left at least once; from then on it must stay the very same request, or the gateway takes it for another one. */
  wasSent?: boolean;
}

export interface Outbox {
  add(message: OutgoingMessage): void;
  /** Sends what is waiting, e.g. after a reconnect. */
  send(): void;
  /** Messages of the session that are not stored yet. */
  waiting(sessionId: string): readonly OutgoingMessage[];
}

export interface OutboxListeners {
  /** A session was made for the conversation ahead of its first message. */
  onSession(conversation: Conversation): Promise<void>;
  onStored(message: OutgoingMessage, ack: ChatAck): void;
  onRefused(message: OutgoingMessage, error: RequestError): void;
}

/** Pause after a failure while the socket is up. */
const RETRY_PAUSE_MS = 1000;

export function createOutbox(context: ChatContext, listeners: OutboxListeners): Outbox {
  const messages: OutgoingMessage[] = [];
  let sending = false;

  async function sendAll(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      for (let message = messages[0]; message && context.socket.isOnline(); message = messages[0]) {
        if (await deliver(message)) messages.shift();
        else await new Promise(resolve => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    } finally {
      sending = false;
    }
  }

  /** Whether the message is settled. */
  async function deliver(message: OutgoingMessage): Promise<boolean> {
    try {
      if (!message.wasSent) await prepare(message.conversation);
      message.wasSent = true;
      const { clientMessageId, text, conversation } = message;
      const target = conversation.sessionId ? { sessionId: conversation.sessionId } : {};
      const ack = await context.socket.request<ChatAck>({
        type: 'chat',
        text,
        ...target,
        clientMessageId,
        locale: context.locale(),
        onBusy: 'enqueue',
      });
      listeners.onStored(message, ack);
      // The level was chosen while the message was on its way. When this fails, the next message stores it.
      prepare(message.conversation).catch(() => undefined);
      return true;
    } catch (thrown) {
      const error = thrown instanceof RequestError ? thrown : new RequestError('internal', String(thrown), false);
      if (error.isLost) return false;
      listeners.onRefused(message, error);
      return true;
    }
  }

  /** A thinking level that was chosen before the session existed is stored ahead of the message. */
  async function prepare(conversation: Conversation): Promise<void> {
    const level = conversation.thinkingLevel;
    if (!level) return;
    if (conversation.sessionId) {
      await context.socket.request({ type: 'set_thinking_level', sessionId: conversation.sessionId, level });
    } else {
      conversation.sessionId = (await context.rest.createSession({ thinkingLevel: level })).id;
      await listeners.onSession(conversation);
    }
    if (conversation.thinkingLevel === level) conversation.thinkingLevel = undefined;
  }

  return {
    add: message => {
      messages.push(message);
      void sendAll();
    },
    send: () => void sendAll(),
    waiting: sessionId => messages.filter(message => message.conversation.sessionId === sessionId),
  };
}
