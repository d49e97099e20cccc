import { type ChatMessage, type PromptPart, promptPartsOf, type WireTool } from '../../port/llm';
import { bytesWithImages } from './image_parts';
import { toJsonBytes } from './json_bytes';
import { bytesOfMessages } from './message_list_bytes';

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
 * sent. The first message is the system message, which changes with the time while the other messages stay.
 */
export function encodeChatRequest({ fields, messages, images, tools }: ChatRequest): Uint8Array[] {
  const [first, ...others] = messages;
  const pieces: Uint8Array[] = [toJsonBytes(`${JSON.stringify(fields).slice(0, -1)},"messages":[`)];
  if (first) pieces.push(...bytesOfFirst(first), images ? bytesWithImages(others, images) : bytesOfMessages(others));
  pieces.push(MESSAGES_END);
  if (tools.length > 0) pieces.push(bytesOfTools(tools));
  pieces.push(BODY_END);
  return pieces;
}

function bytesOfFirst(message: ChatMessage): readonly Uint8Array[] {
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
