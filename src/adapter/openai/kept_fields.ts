/** Collects the fields that a server sends beyond the OpenAI format, as far as its dialect wants them back. */
import { type Dialect, THOUGHT_FIELDS } from '../../port/dialects';
import type { ServerCallData, ServerData } from '../../port/llm';
import { definedFields } from '../../utils/defined_fields';
import { isDeeperThan } from '../../utils/json_depth';
import { toWellFormedValue } from '../../utils/well_formed';
import { isRecord } from './json_value';

export type KeptFields = Map<string, unknown>;

/** Fields that have a place in every answer, and fields about an answer that no server reads in a request; they are not kept. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'name', 'audio', 'annotations', 'images'],
  ...['citations', 'search_results', 'logprobs', 'token_ids', 'prompt_token_ids', 'context', 'finish_reason', 'parsed'],
  ...['index', 'id', 'type', 'function', 'arguments', 'parameters'],
]);

/** Bytes of JSON for one message. Thoughts of 64,000 tokens fit. */
const MAX_BYTES = 512 * 1024;
/** Databases read messages as JSON, and refuse deep ones. */
const MAX_DEPTH = 32;

export const isWanted = (name: string, wanted: Dialect['callFields']): boolean =>
  wanted === 'any' ? !KNOWN_FIELDS.has(name) : wanted.includes(name);

/** Adds the fields of a delta or of a whole message or call. Returns undefined as long as there is none. */
export function keepFields(
  kept: KeptFields | undefined,
  source: Record<string, unknown>,
  wanted: Dialect['callFields'],
): KeptFields | undefined {
  if (wanted.length === 0) return kept;
  let fields = kept;
  for (const name in source) {
    if (!isWanted(name, wanted)) continue;
    const value = source[name];
    if (isEmpty(value)) continue;
    fields ??= new Map();
    fields.set(name, merge(fields.get(name), value, THOUGHT_FIELDS.includes(name)));
  }
  return fields;
}

/** Adds the fields of a piece of a tool call, and those of its `function`. */
export function keepCallFields(
  kept: KeptFields | undefined,
  call: Record<string, unknown>,
  wanted: Dialect['callFields'],
): KeptFields | undefined {
  const fields = keepFields(kept, call, wanted);
  const inner = isRecord(call['function']) ? keepFields(undefined, call['function'], wanted) : undefined;
  return inner ? new Map([...(fields ?? []), ['function', merge(fields?.get('function'), Object.fromEntries(inner))]]) : fields;
}

/** Joins the fields of two pieces of one call. */
export function joinKept(kept: KeptFields | undefined, later: KeptFields | undefined): KeptFields | undefined {
  if (!kept || !later) return kept ?? later;
  return new Map([...kept, ...[...later].map(([name, value]) => [name, merge(kept.get(name), value)] as const)]);
}

/** Returns undefined when nothing was kept. Drops what is larger than MAX_BYTES, the fields of the message first. */
export function toServerData({ server, textBefore, fields, calls }: CollectedData): ServerData | undefined {
  const hasCalls = calls.some(({ id, fields: own }) => id !== undefined || own);
  const message = { textBefore: textBefore || undefined, fields: fields && Object.fromEntries(fields) };
  const parts = { ...message, calls: hasCalls ? calls : undefined };
  const fitting = [parts, hasCalls ? { calls } : {}].find(isStorable) ?? {};
  const kept = definedFields(fitting);
  return Object.keys(kept).length === 0 ? undefined : toWellFormedValue({ server, ...kept });
}

interface CollectedData {
  server: string;
  textBefore?: string;
  fields: KeptFields | undefined;
  calls: readonly ServerCallData[];
}

function isStorable(value: object): boolean {
  try {
    const json = JSON.stringify(value);
    return json.length <= MAX_BYTES && Buffer.byteLength(json) <= MAX_BYTES && !isDeeperThan(json, MAX_DEPTH);
  } catch {
    // Nested too deeply to be written as JSON.
    return false;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Text of a stream comes in pieces, and so do the parts of a list; an object comes whole, or with some of its fields at a time. A text that is no
 * thought and comes again, such as a signature in every delta, is a repetition.
 */
function merge(known: unknown, value: unknown, isThought = false): unknown {
  if (typeof known === 'string' && typeof value === 'string') return !isThought && value.startsWith(known) ? value : known + value;
  if (Array.isArray(value)) return addParts(Array.isArray(known) ? known : [], value);
  return isRecord(known) && isRecord(value) ? mergeObjects(known, value) : value;
}

function mergeObjects(known: Record<string, unknown>, value: Record<string, unknown>): Record<string, unknown> {
  const inner = Object.entries(value).map(([name, own]) => {
    const before = known[name];
    return [name, isRecord(before) && isRecord(own) ? mergeObjects(before, own) : own] as const;
  });
  return { ...known, ...Object.fromEntries(inner) };
}

/** Fields of a part whose text goes on in the next part of the same type and index. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking']);

/** Adds pieces to a part, such as `reasoning_details`, and joins pieces that belong together. Changes `parts`. */
function addParts(parts: unknown[], more: readonly unknown[]): unknown[] {
  for (const part of more) {
    const last = parts.at(-1);
    if (isRecord(last) && isRecord(part) && continues(last, part)) addPiece(last, part);
    else parts.push(part);
  }
  return parts;
}

const continues = (last: Record<string, unknown>, part: Record<string, unknown>): boolean =>
  part['index'] !== undefined && last['index'] === part['index'] && last['type'] === part['type'];

function addPiece(last: Record<string, unknown>, piece: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name];
    if (typeof value === 'string' && typeof before === 'string' && TEXTS.has(name)) last[name] = before + value;
    else if (value !== null) last[name] = value;
  }
}
