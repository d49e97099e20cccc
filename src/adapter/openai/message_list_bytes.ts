/**
 * Serialises lists of messages. Each request of a conversation repeats the messages of the previous one, so the bytes of a list are kept and a longer
 * list appends to them.
 */
import { LRUCache } from 'lru-cache';
import type { ChatMessage } from '../../port/llm';

/** Bytes that are kept for all conversations together. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** New messages at the end of a list: a list with more of them is serialised as a whole. */
const MAX_NEW_MESSAGES = 64;
/** Room for later messages, as a part of the size. */
const SPARE = 0.5;

/** Memory of one conversation. Bytes before `used` never change, because requests that are being sent read them. */
interface Bytes {
  buffer: Buffer;
  used: number;
}

/** A list whose JSON, with a comma before each message, is in `bytes` up to `end`. */
interface KeptList {
  messages: readonly ChatMessage[];
  bytes: Bytes;
  end: number;
}

const encoder = new TextEncoder();

/** Lists by their last message. */
const kept = new LRUCache<ChatMessage, KeptList>({
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes.buffer.length),
});

/**
 * Returns the JSON of the messages with a comma before each. Messages must not change once they have been serialised. Serialises and copies only the
 * messages that the list has more than one before it; comparing the others takes about a nanosecond each.
 */
export function bytesOfMessages(messages: readonly ChatMessage[]): Uint8Array {
  const last = messages.at(-1);
  if (!last) return new Uint8Array();
  const earlier = findEarlier(messages);
  if (earlier?.messages.length === messages.length) return earlier.bytes.buffer.subarray(0, earlier.end);
  const added = messages.slice(earlier?.messages.length ?? 0).map(message => encoder.encode(`,${JSON.stringify(message)}`));
  const list = append(earlier, added, messages);
  const before = earlier?.messages.at(-1);
  if (before) kept.delete(before);
  kept.set(last, list);
  return list.bytes.buffer.subarray(0, list.end);
}

/** Finds a kept list that is the beginning of this one, or equal to it. */
function findEarlier(messages: readonly ChatMessage[]): KeptList | undefined {
  for (let i = messages.length - 1; i >= Math.max(0, messages.length - MAX_NEW_MESSAGES); i--) {
    const list = kept.get(messages[i] as ChatMessage);
    if (list?.messages.length === i + 1 && list.messages.every((message, k) => message === messages[k])) return list;
  }
  return undefined;
}

function append(earlier: KeptList | undefined, added: readonly Uint8Array[], messages: readonly ChatMessage[]): KeptList {
  const start = earlier?.end ?? 0;
  const end = added.reduce((sum, { length }) => sum + length, start);
  const bytes = earlier && hasRoom(earlier, end) ? earlier.bytes : copyOf(earlier, end);
  let offset = start;
  for (const piece of added) {
    bytes.buffer.set(piece, offset);
    offset += piece.length;
  }
  bytes.used = end;
  return { messages, bytes, end };
}

/** A list that another one has continued already has no room behind it. */
const hasRoom = ({ bytes, end }: KeptList, newEnd: number): boolean => bytes.used === end && newEnd <= bytes.buffer.length;

function copyOf(earlier: KeptList | undefined, size: number): Bytes {
  const buffer = Buffer.allocUnsafeSlow(Math.ceil(size * (1 + SPARE)));
  if (earlier) buffer.set(earlier.bytes.buffer.subarray(0, earlier.end));
  return { buffer, used: size };
}
