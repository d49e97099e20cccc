/** Small steps of the readers: each looks at one place of a text. */

const SPACES = /\s*/y;

/** Matches a sticky pattern at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the index of the first character at or behind `at` that is no white space. */
export function skipSpaces(text: string, at: number): number {
  SPACES.lastIndex = at;
  SPACES.test(text);
  return SPACES.lastIndex;
}

/**
 * Returns the index behind the string that starts at `at` with a single or double quote; undefined when no string starts there, or when the string
 * does not end.
 */
export function findStringEnd(text: string, at: number): number | undefined {
  const quote = text.charAt(at);
  if (quote !== '"' && quote !== "'") return undefined;
  for (let end = text.indexOf(quote, at + 1); end !== -1; end = text.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (text.charAt(end - 1 - escapes) === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return undefined;
}
