/** Formats and inspects JSON as text, so that large numbers keep their digits and repeated keys stay. */
import type { JsonAnswer, JsonKind, JsonOperation } from '../../port/cpu_tasks';
import { isDeeperThan } from '../../utils/json_depth';
import { syntaxErrorZh } from '../../utils/syntax_error_zh';

export const MAX_JSON_UNITS = 1_000_000;
export const MAX_JSON_DEPTH = 64;
/** Limit of the formatted text: indentation can make nested lists a hundred times longer. */
const MAX_LAID_OUT_UNITS = 4_000_000;
const MAX_KEYS = 1_000;

/** Formats or inspects a JSON text. Never throws. Takes up to 500 ms for the longest text. */
export function processJson({ text, operation }: { text: string; operation: JsonOperation }): JsonAnswer {
  const parsed = parse(text);
  if (!parsed.ok) return { ...parsed, problem: 'not_json' };
  const kind = jsonKind(parsed.value);
  const names = operation === 'keys' && kind === 'object' ? Object.keys(parsed.value as object) : [];
  const laidOut = operation === 'parse' || operation === 'format' ? layOut(text, operation === 'format') : '';
  if (laidOut === undefined) {
    const error = `Laid out it would have more than ${MAX_LAID_OUT_UNITS} characters.`;
    return { ok: false, problem: 'too_long', error, errorZh: `排版后会超过 ${MAX_LAID_OUT_UNITS} 个字符。` };
  }
  return { ok: true, kind, text: laidOut, keys: names.slice(0, MAX_KEYS), keyCount: names.length };
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; error: string; errorZh: string } {
  if (text.length > MAX_JSON_UNITS)
    return {
      ok: false,
      error: `The text has ${text.length} characters; at most ${MAX_JSON_UNITS} are allowed.`,
      errorZh: `文本有 ${text.length} 个字符，最多 ${MAX_JSON_UNITS} 个。`,
    };
  if (isDeeperThan(text, MAX_JSON_DEPTH))
    return {
      ok: false,
      error: `Objects and lists are nested more than ${MAX_JSON_DEPTH} deep.`,
      errorZh: `对象和列表的嵌套超过 ${MAX_JSON_DEPTH} 层。`,
    };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message.slice(0, 300) : 'The text is not JSON.';
    return { ok: false, error, errorZh: syntaxErrorZh(error) };
  }
}

/** Returns the JSON type of a parsed value. */
function jsonKind(value: unknown): JsonKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonKind;
}

/** Matches strings, numbers, words and punctuation. An empty object or list is one token. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Changes the white space of valid JSON: one value per line, indented by two, or everything on one line. Undefined when it grows too long. */
function layOut(text: string, isIndented: boolean): string | undefined {
  let laidOut = '';
  let depth = 0;
  for (const [found] of text.matchAll(TOKEN)) {
    const token = found.startsWith('"') ? found : found.replace(/\s+/g, '');
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    laidOut += isIndented ? indented(token, depth) : token;
    if (laidOut.length > MAX_LAID_OUT_UNITS) return undefined;
  }
  return laidOut;
}

function indented(token: string, depth: number): string {
  switch (token) {
    case '{':
    case '[':
    case ',':
      return `${token}\n${'  '.repeat(depth)}`;
    case '}':
    case ']':
      return `\n${'  '.repeat(depth)}${token}`;
    case ':':
      return ': ';
    default:
      return token;
  }
}
