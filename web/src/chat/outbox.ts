/**
 * The messages that the gateway has not stored yet. They are sent one by one, in order, each under its own id. A message that was lost with
 * the connection is sent again; the gateway drops the duplicate by its id. Messages are kept over a reload, and a page takes over those of
 * closed pages, so that a closed tab loses none. A message goes out only under the login under which it was written.
 */
import type { ChatContext, Conversation } from './chat_context';
import { type DeliveryListeners, deliverMessage } from './deliver_message';
import { type Author, createKeptMessages, type Hold, type KeptMessages, type OutgoingMessage } from './kept_messages';

export interface Outbox {
  add(message: OutgoingMessage): void;
  /**
   * Sends from now on the messages of the login that `readLogin` resolves with, those of closed pages too. Without a login, or when `close` is
   * called before it resolves, nothing is sent. Never rejects when `readLogin` does not.
   */
  open(readLogin: () => Promise<Author | undefined>): Promise<void>;
  /** Takes the messages of the login from closed pages and shows them; `open` sends them. Never rejects. */
  restore(login: Author): Promise<void>;
  /** Sends nothing more until the next `open`. */
  close(): void;
  /** Messages of the session that are not stored yet. */
  waiting(sessionId: string): readonly OutgoingMessage[];
}

export interface OutboxListeners extends Omit<DeliveryListeners, 'onSending'> {
  /** Called when the page stops sending a message by itself. */
  onHeld(message: OutgoingMessage, hold: Hold): void;
  /** Called after messages were taken over, with those of new chats that this page shows. */
  onRestored(messages: readonly OutgoingMessage[]): void;
}

/** Pause after a failure while the socket is connected. */
const RETRY_PAUSE_MS = 1000;
/** The gateway knows a message by its id for 24 hours; four hours are left for clocks that differ. */
const SENDABLE_MS = 20 * 3_600_000;

interface OutboxState {
  messages: readonly OutgoingMessage[];
  isSending: boolean;
  /** The login of the open outbox. */
  login?: Author;
  /** The latest `open`; undefined after `close`. */
  opening?: object;
  /** Number of pages with messages that have closed. */
  closedPages: number;
}

interface OutboxDeps {
  context: ChatContext;
  listeners: OutboxListeners;
  kept: KeptMessages;
  state: OutboxState;
}

export function createOutbox(context: ChatContext, listeners: OutboxListeners, createKept = createKeptMessages): Outbox {
  const state: OutboxState = { messages: [], isSending: false, closedPages: 0 };
  const kept = createKept(() => {
    state.closedPages++;
    if (state.login) void takeOver(deps, state.login);
  });
  const deps: OutboxDeps = { context, listeners, kept, state };
  return {
    add: message => {
      const earlier = state.messages.find(({ clientMessageId }) => clientMessageId === message.clientMessageId);
      const { me } = context.store.get();
      message.at ??= Date.now();
      message.author = me && authorOf(me);
      message.wasSent ??= earlier?.wasSent;
      state.messages = [...state.messages.filter(one => one !== earlier), message];
      void kept.change({ keep: [message] });
      void sendAll(deps);
    },
    open: async readLogin => {
      const own = {};
      state.opening = own;
      const me = await readLogin();
      if (!me || state.opening !== own) return;
      const author = authorOf(me);
      // Before anything new is sent, so that older messages go first. Again when a page closes during it.
      for (let closedPages = -1; closedPages !== state.closedPages; ) {
        closedPages = state.closedPages;
        await takeOver(deps, author);
        if (state.opening !== own) return;
      }
      state.login = author;
      void sendAll(deps);
    },
    restore: login => takeOver(deps, authorOf(login)),
    close: () => {
      state.opening = undefined;
      state.login = undefined;
    },
    waiting: sessionId => state.messages.filter(message => message.conversation.sessionId === sessionId),
  };
}

/** Sends what may go out under the login, one message after the other. */
async function sendAll({ context, listeners, kept, state }: OutboxDeps): Promise<void> {
  if (state.isSending) return;
  state.isSending = true;
  const membersOf = (conversation: Conversation) => state.messages.filter(message => message.conversation === conversation);
  const deliveryListeners: DeliveryListeners = {
    ...listeners,
    onSession: async conversation => {
      await kept.change({ keep: membersOf(conversation) });
      await listeners.onSession(conversation);
    },
    onSending: async message => {
      await kept.change({ keep: [message] });
      return isSame(message.author, state.login);
    },
  };
  try {
    for (let message = findNext(state); message && canSend(context); message = findNext(state)) {
      const sent = message;
      const { conversation } = sent;
      const isNew = conversation.sessionId === undefined;
      if (await deliverMessage(context, deliveryListeners, sent)) {
        state.messages = state.messages.filter(one => one !== sent);
        // In one step, so that no other page finds the later messages of a new chat without the session of the first.
        void kept.change({ drop: sent, keep: isNew ? membersOf(conversation) : [] });
      } else await new Promise(resolve => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  } finally {
    state.isSending = false;
  }
}

/** Returns the next message to send. Messages of a temporary chat that was left are dropped. */
function findNext(state: OutboxState): OutgoingMessage | undefined {
  state.messages = state.messages.filter(({ conversation }) => !conversation.isLeft);
  return state.messages.find(({ hold, author }) => !hold && isSame(author, state.login));
}

/** Takes the messages of closed pages, then holds what must not go out by itself. */
async function takeOver(deps: OutboxDeps, author: Author): Promise<void> {
  const { state, kept, listeners } = deps;
  const { opening } = state;
  const unclaimed = state.messages.filter(({ author: known, hold }) => !known && !hold);
  for (const message of unclaimed) message.author = author;
  if (unclaimed.length > 0) await kept.change({ keep: unclaimed });
  const taken = await kept.take(author);
  state.messages = [...taken, ...state.messages];
  if (state.opening !== opening) return;
  for (const message of state.messages) {
    const hold = message.hold ? undefined : holdOf(message, author, Date.now());
    if (!hold) continue;
    message.hold = hold;
    listeners.onHeld(message, hold);
  }
  listeners.onRestored(taken.filter(message => !message.conversation.sessionId && (message.hold || kept.isOfThisTab(message))));
  void sendAll(deps);
}

const authorOf = ({ tenant, keyName }: Author): Author => ({ tenant, keyName });

const isSame = (one: Author | undefined, other: Author | undefined): boolean =>
  one !== undefined && one.tenant === other?.tenant && one.keyName === other.keyName;

function holdOf({ author, at = 0 }: OutgoingMessage, login: Author, now: number): Hold | undefined {
  if (!isSame(author, login)) return 'unsent_other_login';
  return now - at > SENDABLE_MS ? 'unsent_too_old' : undefined;
}

const canSend = ({ socket, store }: ChatContext): boolean => socket.isOnline() && !store.get().isLoginNeeded;
