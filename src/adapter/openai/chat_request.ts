/**
 * Encodes the body of a request. Each request of a conversation repeats the messages of the previous one, so the bytes of a list are kept and the next
 * list appends to them. A later turn gets the same message objects when the turns before it ran in this process.
 */
import { LRUCache } from 'lru-cache';
import { describeFile, describeImage } from '../../port/describe_image';
import { type ChatMessage, type ImageReference, type PromptPart, promptPartsOf, type UserMessage, type WireTool } from '../../port/llm';
import { toWellFormedJson } from '../../utils/well_formed';

/** The JSON of system messages and tool lists, which many requests share. */
const systemBytes = new WeakMap<ChatMessage, readonly Uint8Array[]>();
/** Cached bytes of the first part of a prompt with the JSON in front of it. Other parts are cached alone. */
const startBytes = new WeakMap<PromptPart, Uint8Array>();
const partBytes = new WeakMap<PromptPart, Uint8Array>();
const toolBytes = new WeakMap<readonly WireTool[], Uint8Array>();

const SYSTEM_START = '{"role":"system","content":"';
const SYSTEM_END = Buffer.from('"}');
const MESSAGES_END = Buffer.from(']');
const BODY_END = Buffer.from('}');

export interface ChatRequest {
  /** The other fields of the body. At least one is needed. */
  fields: Record<string, unknown>;
  messages: readonly ChatMessage[];
  /** Bytes of the images that messages name. */
  images?: ReadonlyMap<string, Uint8Array>;
  /** Empty: the body has no field `tools`. */
  tools: readonly WireTool[];
}

/**
 * Returns the JSON of a request body in pieces. Bytes of messages and tool lists are cached by object, so these must not change once they have been
 * sent. The first message usually is the system message, which changes with the time while the other messages stay.
 */
export function encodeChatRequest({ fields, messages, images, tools }: ChatRequest): Uint8Array[] {
  const [first, ...others] = messages;
  const pieces: Uint8Array[] = [toJsonBytes(`${JSON.stringify(fields).slice(0, -1)},"messages":[`)];
  if (first) pieces.push(...bytesOfFirst(first, images), images ? bytesWithImages(others, images) : bytesOfMessages(others));
  pieces.push(MESSAGES_END);
  if (tools.length > 0) pieces.push(bytesOfTools(tools));
  pieces.push(BODY_END);
  return pieces;
}

function bytesOfFirst(message: ChatMessage, images: Images | undefined): readonly Uint8Array[] {
  if (images && message.role !== 'system') return [toJsonBytes(JSON.stringify(toWire(message, images)))];
  const known = systemBytes.get(message);
  if (known) return known;
  const [long, ...others] = promptPartsOf(message) ?? [];
  const pieces = long
    ? [bytesOfPart(long, startBytes, SYSTEM_START), Buffer.concat([...others.map(part => bytesOfPart(part, partBytes)), SYSTEM_END])]
    : [toJsonBytes(JSON.stringify(message))];
  systemBytes.set(message, pieces);
  return pieces;
}

/** The text as the inside of a JSON string. */
function bytesOfPart(part: PromptPart, cache: WeakMap<PromptPart, Uint8Array>, before = ''): Uint8Array {
  const known = cache.get(part);
  if (known) return known;
  const bytes = toJsonBytes(before + JSON.stringify(part.text).slice(1, -1));
  cache.set(part, bytes);
  return bytes;
}

function bytesOfTools(tools: readonly WireTool[]): Uint8Array {
  const known = toolBytes.get(tools);
  if (known) return known;
  const bytes = toJsonBytes(`,"tools":${JSON.stringify(tools)}`);
  toolBytes.set(tools, bytes);
  return bytes;
}

/** The most bytes that are kept for all conversations together. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** Room for later messages, as a part of the size. */
const SPARE = 0.5;

/** Memory of one conversation. Bytes before `used` never change, because requests that are being sent read them. */
interface Bytes {
  buffer: Buffer;
  used: number;
}

/** A list whose JSON, with a comma before each message, is in `bytes`; message i ends at `ends[i]`. */
interface KeptList {
  messages: readonly ChatMessage[];
  ends: readonly number[];
  bytes: Bytes;
}

/** The newest list of each conversation, by its first message. */
const kept = new LRUCache<ChatMessage, KeptList>({
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes.buffer.length),
});

/**
 * Returns the JSON of the messages with a comma before each. Messages must not change once they have been serialised. Serialises only the messages
 * behind those that the newest list with the same first message begins with; comparing these takes about a nanosecond each.
 */
function bytesOfMessages(messages: readonly ChatMessage[]): Uint8Array {
  const [first] = messages;
  if (!first) return new Uint8Array();
  const known = kept.get(first);
  const same = known ? countSame(known.messages, messages) : 0;
  const start = known?.ends[same - 1] ?? 0;
  if (known && same === messages.length) return known.bytes.buffer.subarray(0, start);
  const added = messages.slice(same).map(message => toJsonBytes(`,${JSON.stringify(message)}`));
  const ends = known?.ends.slice(0, same) ?? [];
  for (const { length } of added) ends.push((ends.at(-1) ?? 0) + length);
  const bytes = append(known?.bytes, start, added);
  kept.set(first, { messages, ends, bytes });
  return bytes.buffer.subarray(0, ends.at(-1));
}

/** Counts the messages that both lists begin with. */
function countSame(a: readonly ChatMessage[], b: readonly ChatMessage[]): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same;
}

/** Adds pieces behind the first `start` bytes, in place when no other list has continued there. */
function append(known: Bytes | undefined, start: number, pieces: readonly Uint8Array[]): Bytes {
  const end = pieces.reduce((sum, { length }) => sum + length, start);
  const bytes = known && known.used === start && end <= known.buffer.length ? known : copyOf(known, start, end);
  let offset = start;
  for (const piece of pieces) {
    bytes.buffer.set(piece, offset);
    offset += piece.length;
  }
  bytes.used = end;
  return bytes;
}

function copyOf(known: Bytes | undefined, start: number, size: number): Bytes {
  const buffer = Buffer.allocUnsafeSlow(Math.ceil(size * (1 + SPARE)));
  if (known) buffer.set(known.buffer.subarray(0, start));
  return { buffer, used: size };
}

type Images = ReadonlyMap<string, Uint8Array>;

/**
 * Returns the JSON of the messages with a comma before each. It is not kept, because images are large. An image without bytes becomes a line of
 * text.
 */
export function bytesWithImages(messages: readonly ChatMessage[], images: Images): Uint8Array {
  return Buffer.concat(toWireMessages(messages, images).map(message => toJsonBytes(`,${JSON.stringify(message)}`)));
}

const RESULT_IMAGES = 'The images of the tool results above:';
/** Some servers, such as Mistral's, refuse a message of the user right behind a result. */
const IMAGES_FOLLOW = { role: 'assistant', content: 'The images of the results follow.' };

/** The results of tools are text alone in this API, so their images stand in a message of the user behind them. */
function toWireMessages(messages: readonly ChatMessage[], images: Images): unknown[] {
  let shown: ImageReference[] = [];
  return messages.flatMap((message, i) => {
    const wire = toWire(message, images);
    if (message.role === 'tool') shown.push(...(message.images ?? []).filter(({ id }) => images.has(id)));
    if (shown.length === 0 || messages[i + 1]?.role === 'tool') return [wire];
    const behind = { role: 'user', content: partsOf({ role: 'user', content: RESULT_IMAGES, images: shown }, images) };
    shown = [];
    return [wire, IMAGES_FOLLOW, behind];
  });
}

function toWire(message: ChatMessage, images: Images): unknown {
  if (message.role === 'user' && (message.images || message.files)) return { role: 'user', content: partsOf(message, images) };
  if (message.role !== 'tool' || !message.images) return message;
  const lines = message.images.map((image, i) =>
    describeImage(image, i + 1, images.has(image.id) ? 'see the message below' : 'no longer sent'),
  );
  return { role: 'tool', tool_call_id: message.tool_call_id, content: [message.content, ...lines].join('\n') };
}

function partsOf({ content, images: references = [], files = [] }: UserMessage, images: Images): unknown[] {
  const parts = references.map((reference, i) => {
    const url = dataUrlOf(reference, images);
    if (url === undefined) return { type: 'text', text: describeImage(reference, i + 1, 'no longer sent') };
    return { type: 'image_url', image_url: { url } };
  });
  const sentFiles = files.map((file, i) => {
    const url = dataUrlOf(file, images);
    if (url === undefined) return { type: 'text', text: describeFile(file, i + 1, 'no longer sent') };
    return { type: 'file', file: { filename: file.name ?? `${i + 1}.pdf`, file_data: url } };
  });
  return [{ type: 'text', text: content }, ...parts, ...sentFiles];
}

/** Returns undefined when the bytes are gone. */
export function dataUrlOf({ id, mediaType }: { id: string; mediaType: string }, images: Images): string | undefined {
  const bytes = images.get(id);
  if (!bytes) return undefined;
  const { buffer, byteOffset, byteLength } = bytes;
  return `data:${mediaType};base64,${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}`;
}

/**
 * Bytes that UTF-8 needs beyond one a character, as a share of the text's length. Below this share, escapes lengthen a text by two fifths at most,
 * usually far less.
 */
const FEW = 0.1;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const NOT_ASCII = /[^\x00-\x7f]/g;

/** Encodes into a buffer of its own: a small slice of Node's shared pool would keep 8 KiB alive as long as its message. */
const encoder = new TextEncoder();

/**
 * Returns the bytes of a JSON text for a request body. A few characters that are not ASCII, such as dashes and arrows, become escapes: one of them
 * makes servers in JavaScript and Python keep the whole body with two bytes a character, which doubles the time to read it. A text with many of
 * them, such as a Chinese one, stays as it is. Halves of characters are replaced: JSON.stringify writes them as escapes, which strict servers refuse.
 */
export function toJsonBytes(written: string): Uint8Array {
  const json = written.includes('\\ud') ? toWellFormedJson(written) : written;
  const extraBytes = Buffer.byteLength(json) - json.length;
  const isEscaped = extraBytes > 0 && extraBytes <= json.length * FEW;
  return encoder.encode(isEscaped ? json.replace(NOT_ASCII, toEscape) : json);
}

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
