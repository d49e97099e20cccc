/** The unsent messages in the store of the browser: this page keeps its own there and takes over the messages of closed pages. */

import type { OnBusy } from '../connection/protocol';
import { changeMessages, type KeptMessage, readMessages, readTabId, takeMessages } from '../platform/message_store';
import { holdPageLock } from '../platform/page_lock';
import { createUniqueId } from '../platform/unique_id';
import type { Conversation } from './chat_context';

/** The login under which a message is written. */
export interface Author {
  tenant: string;
  keyName: string;
}

export interface OutgoingMessage {
  clientMessageId: string;
  text: string;
  /** data: addresses in base64. */
  images: readonly string[];
  conversation: Conversation;
  /** Absent: the message waits while a run is active. */
  onBusy?: OnBusy;
  /** True when the request was sent at least once. The request must not change after that, or the gateway takes it for another message. */
  wasSent?: boolean;
  /** Number of steering messages with the same text on the page when this one was sent. */
  alikeBefore?: number;
  /** Milliseconds since 1970. */
  at?: number;
  /** Absent until the gateway has said who the person is. */
  author?: Author;
  /** Why the page does not send the message until the person asks for it again. */
  hold?: Hold;
}

/** `unsent_too_old`: the gateway may no longer notice that it has the message already. `unsent_other_login`: another person may have written it. */
export type Hold = 'unsent_too_old' | 'unsent_other_login';

export interface KeptMessages {
  /** Writes and removes messages in one step. Never rejects. */
  change(change: { keep?: readonly OutgoingMessage[]; drop?: OutgoingMessage }): Promise<void>;
  /** Takes over the messages of closed pages that may belong to the login; oldest first. Never rejects. */
  take(author: Author): Promise<OutgoingMessage[]>;
  /** True when this tab wrote the message, perhaps before a reload. */
  isOfThisTab(message: OutgoingMessage): boolean;
}

/** `onPageClosed` is called when a page that had messages has closed, so that they can be taken. */
export function createKeptMessages(onPageClosed: () => void): KeptMessages {
  const page = createUniqueId();
  const tab = readTabId(createUniqueId);
  const lock = holdPageLock(page);
  const tabs = new WeakMap<OutgoingMessage, string>();
  const awaited = new Set<string>();
  /** Pages that have closed. The lock of such a page may look held once more, by the pages that waited for its end. */
  const ended = new Set<string>();

  const awaitEnd = (other: string) => {
    if (awaited.has(other)) return;
    awaited.add(other);
    void lock.waitUntilClosed(other).then(() => {
      ended.add(other);
      onPageClosed();
    });
  };
  const tabOf = (message: OutgoingMessage) => tabs.get(message) ?? tab;

  return {
    change: async ({ keep = [], drop }) => {
      // Without the lock another page would take the messages.
      await lock.held;
      // Nothing of a temporary chat stays in the browser.
      const lasting = keep.filter(({ conversation }) => !conversation.temporary);
      await changeMessages({ keep: lasting.map(message => toKept(message, page, tabOf(message))), drop: drop && [drop.clientMessageId] });
    },
    take: async author => {
      await lock.held;
      const others = (await readMessages()).filter(kept => kept.page !== page && mayBelongTo(kept, author, tab));
      if (others.length === 0) return [];
      const pages = [...new Set(others.flatMap(kept => kept.page ?? []))];
      const closed = await lock.findClosed(pages);
      // Where the browser cannot tell which pages are closed, this tab takes what it wrote itself, before a reload.
      const isClosed = (other: string) => ended.has(other) || closed?.has(other) === true;
      const isFree = ({ page: other, tab: writer }: KeptMessage) => other === undefined || isClosed(other) || (!closed && writer === tab);
      const taken = await takeMessages(page, kept => kept.page !== page && mayBelongTo(kept, author, tab) && isFree(kept));
      for (const other of pages) if (closed && !isClosed(other)) awaitEnd(other);
      const messages = toOutgoing(taken);
      for (const [index, message] of messages.entries()) tabs.set(message, taken[index]?.tab ?? tab);
      return messages;
    },
    isOfThisTab: message => tabOf(message) === tab,
  };
}

/** A message that was written before the gateway had named the person stays in its tab. */
function mayBelongTo(kept: KeptMessage, { tenant, keyName }: Author, tab: string): boolean {
  if (kept.tenant !== undefined && kept.tenant !== tenant) return false;
  return kept.keyName === undefined ? kept.tab === tab : kept.keyName === keyName;
}

/** Ids of new chats, for messages that belong together before there is a session. */
const conversationIds = new WeakMap<Conversation, string>();

function idOf(conversation: Conversation): string {
  const id = conversationIds.get(conversation) ?? createUniqueId();
  conversationIds.set(conversation, id);
  return id;
}

function toKept(message: OutgoingMessage, page: string, tab: string): KeptMessage {
  const { clientMessageId, text, images, conversation, onBusy, wasSent, at = 0, author } = message;
  const { sessionId, agent } = conversation;
  return { clientMessageId, text, images, onBusy, wasSent, at, page, tab, ...author, sessionId, agent, conversationId: idOf(conversation) };
}

function toOutgoing(kept: readonly KeptMessage[]): OutgoingMessage[] {
  const conversations = new Map<string, Conversation>();
  return kept.map(({ clientMessageId, text, images, sessionId, agent, conversationId, onBusy, wasSent, at, tenant, keyName }) => {
    const conversation = conversations.get(conversationId) ?? { sessionId, agent };
    conversations.set(conversationId, conversation);
    conversationIds.set(conversation, conversationId);
    const author = tenant !== undefined && keyName !== undefined ? { tenant, keyName } : undefined;
    return { clientMessageId, text, images, conversation, onBusy, wasSent, at, author, hold: author ? undefined : 'unsent_other_login' };
  });
}
