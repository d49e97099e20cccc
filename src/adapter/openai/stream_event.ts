/** Classifies one event of a stream. Servers and proxies send keep-alive signs in many forms between the chunks of an answer. */
import { isRecord } from './json_value';

/** `nothing`: a keep-alive sign. `broken`: a chunk that cannot be read. */
export type StreamEvent = { kind: 'chunk'; chunk: Record<string, unknown> } | { kind: 'done' | 'error' | 'broken' | 'nothing' };

/** Names of events that hold chunks, beside events without a name. Events of other names hold signs of life, unless they have the form of a chunk. */
const CHUNK_NAMES: ReadonlySet<string | undefined> = new Set([undefined, '', 'message', 'data', 'chunk', 'delta', 'completion']);
const ERROR_NAME = /error|exception|fail/i;
const DONE = /^"?\[done\]"?$/i;
/** Fields by which a chunk or an error is recognised. */
const FIELDS = ['choices', 'error', 'usage', 'base_resp'];
/** A piece of JSON has these characters, also when its beginning or its end is missing. */
const JSON_PIECE = /["{}]/;
const FAILURE =
  /error|exception|fail|denied|refused|invalid|limit|exceed|quota|time ?out|timed out|unavailable|overload|abort|cancel|crash|closed|lost|错误|异常|失败|超时|限流|繁忙|拒绝/i;
/** Units of a sign of life. */
const MAX_SIGN = 64;

/** `data`: the text of the event, trimmed. */
export function readStreamEvent(data: string, name: string | undefined): StreamEvent {
  if (name !== undefined && ERROR_NAME.test(name)) return { kind: data === '' ? 'nothing' : 'error' };
  if (data === '') return { kind: 'nothing' };
  if (DONE.test(data)) return { kind: 'done' };
  const isOwn = CHUNK_NAMES.has(name);
  const parsed = parse(data);
  if (parsed === undefined) return readPlain(data, isOwn);
  // Some servers wrap an error in a list.
  const chunk: unknown = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  if (!isRecord(chunk)) return { kind: 'nothing' };
  const isChunk = isOwn || chunk['type'] === 'error' || FIELDS.some(field => chunk[field] !== undefined);
  return isChunk ? { kind: 'chunk', chunk } : { kind: 'nothing' };
}

/** No part of an answer is a plain text; an error may be. */
function readPlain(data: string, isOwn: boolean): StreamEvent {
  if (JSON_PIECE.test(data)) return { kind: isOwn || data.includes('"choices"') ? 'broken' : 'nothing' };
  if (!isOwn) return { kind: 'nothing' };
  return { kind: data.length > MAX_SIGN || FAILURE.test(data) ? 'error' : 'nothing' };
}

function parse(data: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) };
  } catch {
    return undefined;
  }
}
