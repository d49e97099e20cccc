/** Lays out JSON for people without a change to its values. Pure. */

/** A string, a mark, or a number or word. Valid JSON has nothing else but blanks. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
/** Deeper values stay as they are, because their indentation would be longer than the values. */
const MAX_DEPTH = 200;

/**
 * Returns a JSON object or list indented by two spaces; undefined for any other text. Every number, string and repeated key stays
 * as it is written, which `JSON.stringify(JSON.parse(text))` does not promise: it turns 7234567890123456789 into 7234567890123457000.
 */
export function indentJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  let indented = '';
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (isClosing(token)) depth--;
    if (depth > MAX_DEPTH) return undefined;
    // The marks of an empty object or list stay together.
    if (last === ',' || isOpening(last) !== isClosing(token)) indented += `\n${'  '.repeat(depth)}`;
    if (isOpening(token)) depth++;
    indented += token === ':' ? ': ' : token;
    last = token;
  }
  return indented;
}

const isOpening = (token: string): boolean => token === '{' || token === '[';
const isClosing = (token: string): boolean => token === '}' || token === ']';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
