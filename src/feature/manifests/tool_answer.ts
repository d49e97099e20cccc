/** Reads what the process of a tool writes to stdout: progress, the answer, and other output. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { isDeeperThan } from '../../utils/json_depth';
import { Optional, oneOf } from '../../utils/schema_types';

/** Fields that a tool adds are ignored. */
export const ToolAnswer = Type.Object({
  id: Optional.String(),
  status: oneOf(['success', 'error']),
  result: Optional.Unknown(),
  error: Optional.Union([Type.String(), Type.Null()]),
  message: Optional.Union([Type.String(), Type.Null()]),
  base64: Optional.Union([Type.String(), Type.Null()]),
});
export type ToolAnswer = Static<typeof ToolAnswer>;

export type OutputLine =
  | { kind: 'ready' }
  | { kind: 'progress'; id: string | undefined; text: string }
  | { kind: 'answer'; id: string | undefined; answer: ToolAnswer }
  /** JSON with the id of a call that is no answer; `problem` says why. */
  | { kind: 'invalid'; id: string | undefined; problem: Bilingual }
  | { kind: 'other' };

const MAX_DEPTH = 64;
/** Characters of a line without its base64; parsing more would block the event loop. */
const MAX_JSON_UNITS = 1024 * 1024;
const BASE64_KEY = /"base64"\s*:\s*"/;
const NOT_BASE64 = /[^A-Za-z0-9+/=]/;
const checker = TypeCompiler.Compile(ToolAnswer);

/** Tells what a line of stdout is. A line that is no JSON object is other output. `redact` removes secrets from a text. */
export function readOutputLine(line: string, redact = (text: string): string => text): OutputLine {
  const { json, base64, isCut = false } = withoutBase64(line);
  if (json.length > MAX_JSON_UNITS) return tooLong(json, isCut);
  const read = toObject(json);
  if (!read) return { kind: 'other' };
  // JSON can write a secret in many ways, such as with \/ or \u0041.
  const value = json.includes('\\') ? (JSON.parse(redact(JSON.stringify(read))) as Record<string, unknown>) : read;
  if (base64 !== undefined) value['base64'] = base64;
  const id = typeof value['id'] === 'string' ? value['id'] : undefined;
  if (value['ready'] === true && id === undefined) return { kind: 'ready' };
  if (typeof value['progress'] === 'string' && !('status' in value)) return { kind: 'progress', id, text: value['progress'] };
  if (NOT_BASE64.test(base64 ?? '')) return { kind: 'invalid', id, problem: NOT_BASE64_TEXT };
  if (checker.Check(value)) return { kind: 'answer', id, answer: value };
  if (id === undefined && !('status' in value)) return { kind: 'other' };
  const field = checker.Errors(value).First()?.path.slice(1) || 'status';
  return { kind: 'invalid', id, problem: badField(field) };
}

/** Cuts a long base64 text out of the line, so that only the rest is parsed. */
function withoutBase64(line: string): { json: string; base64?: string; isCut?: boolean } {
  if (line.length <= MAX_JSON_UNITS) return { json: line };
  const key = BASE64_KEY.exec(line);
  if (!key) return { json: line };
  const start = key.index + key[0].length;
  const end = line.indexOf('"', start);
  // A line without its end was cut at the limit of all output.
  return end === -1 ? { json: line, isCut: true } : { json: line.slice(0, start) + line.slice(end), base64: line.slice(start, end) };
}

/** Treats a line that is too long: its id is read only at the start, where an answer usually has it. */
function tooLong(json: string, isCut: boolean): OutputLine {
  if (!json.startsWith('{')) return { kind: 'other' };
  const id = /^\{\s*"id"\s*:\s*"([\w-]{1,64})"/.exec(json.slice(0, 200))?.[1];
  return { kind: 'invalid', id, problem: isCut ? LONG_ANSWER : LONG_TEXT };
}

const NOT_BASE64_TEXT = inBoth('the field base64 of its answer is not base64', '回答的字段 base64 不是 base64');
const LONG_ANSWER = inBoth('its answer has more than 16 MiB', '回答超过 16 MiB');
const LONG_TEXT = inBoth('its answer has more than 1 MiB besides base64', '除 base64 外，回答超过 1 MiB');
const badField = (field: string): Bilingual =>
  inBoth(`the field ${field} of its answer is missing or not valid`, `回答的字段 ${field} 缺失或无效`);

function toObject(line: string): Record<string, unknown> | undefined {
  if (!/^\s*\{/.test(line) || isDeeperThan(line, MAX_DEPTH)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
