import { isWord, sameToken, type Token } from '../tokens';

const QUOTE = /^["'`]$/;
const LINE_TAIL = /^[;,]$/;
const LITERAL = /^(?:\d[\p{L}\p{N}_]*|true|false|null|undefined|none|True|False|None)$/u;
const OPERATOR = /^[!<>=&|+*/%?~^]$|^-+$/;
const OPENER = /^[{[(:]$/;
const DECLARES = /^(?:function|class|interface|type|enum|struct|namespace|module|trait|impl|def|fn|func|case|describe|it|test)$/;
/** A quoted key, a colon and an opening bracket. */
const LONGEST_KEY_HEAD = 5;
/** Stands for a number, a truth value or a string without spaces that is no key. */
const VALUE = '\0';

/**
 * Two lines that differ only in ways that keep their meaning: the kind of quotes, one semicolon or comma at the end,
 * and in comments the case of letters.
 */
export function isRestyled(old: readonly Token[], file: readonly Token[], areComments: boolean): boolean {
  const [a, b] = [withoutTail(old), withoutTail(file)];
  if (a.length !== b.length || a.length === 0) return false;
  return a.every((token, i) => sameToken(token, b[i]!) || isSameStyled(token, b[i]!, areComments));
}

/** Differs in the quotes alone. */
export function differsInQuotesOnly(old: readonly Token[], file: readonly Token[]): boolean {
  return old.length === file.length && old.every((token, i) => sameToken(token, file[i]!) || isSameStyled(token, file[i]!, false));
}

export function isQuote(token: Token): boolean {
  return QUOTE.test(token.key);
}

/** The same line with other values or operators: numbers, truth values, strings of one word. Something names the line in both. */
export function isStale(old: readonly Token[], file: readonly Token[]): boolean {
  if (hasOtherOperators(old, file)) return true;
  const [a, b] = [withValues(withoutTail(old)), withValues(withoutTail(file))];
  if (a.length !== b.length) return hasMoreValues(a, b) || hasMoreValues(b, a);
  if (!a.every((value, i) => value === b[i])) return false;
  const words = new Set(file.filter(isWord).map(stem));
  return old.some(token => words.has(stem(token))) || !a.some(value => /\p{L}/u.test(value));
}

/** The same words with another operator between them: `!ready` and `ready`. */
function hasOtherOperators(old: readonly Token[], file: readonly Token[]): boolean {
  const [a, b] = [old, file].map(tokens => tokens.filter(token => isWord(token) || OPERATOR.test(token.key)).map(token => token.key));
  const words = (keys: readonly string[]): string => keys.filter(key => !OPERATOR.test(key)).join(' ');
  return words(a!) !== '' && words(a!) === words(b!) && a!.join(' ') !== b!.join(' ');
}

/** The first line is the second with further values and signs, and no further word: `port + '/a'` and `port`. */
function hasMoreValues(long: readonly string[], short: readonly string[]): boolean {
  let matched = 0;
  const further = long.filter(key => {
    if (key !== short[matched]) return true;
    matched++;
    return false;
  });
  return (
    matched === short.length && further.includes(VALUE) && !further.some(key => /\p{L}/u.test(key)) && short.some(key => /\p{L}/u.test(key))
  );
}

/** A name without its numbers. */
function stem(token: Token): string {
  return token.key.replace(/\d+/g, '');
}

/** The heads of two blocks that differ in one name: `function a() {` and `function b() {`, `"x": {` and `"y": {`. */
export function isOtherBlockHead(old: readonly Token[], file: readonly Token[]): boolean {
  if (isQuotedKey(old) && isQuotedKey(file)) return old.map(token => token.key).join(' ') !== file.map(token => token.key).join(' ');
  if (old.length !== file.length || !OPENER.test(old.at(-1)?.key ?? '')) return false;
  const isKey = old.length <= LONGEST_KEY_HEAD && old.at(-2)?.key === ':';
  if (!isKey && !old.slice(0, 3).some(token => DECLARES.test(token.key))) return false;
  return old.filter((token, i) => !sameToken(token, file[i]!)).length === 1;
}

/** A key in quotes that opens a block: `"one or more words": {`. */
function isQuotedKey(tokens: readonly Token[]): boolean {
  const [opener, colon, quote] = [tokens.at(-1), tokens.at(-2), tokens.at(-3)].map(token => token?.key ?? '');
  return OPENER.test(opener!) && colon === ':' && QUOTE.test(quote!) && tokens[0]!.key === quote;
}

function isSameStyled(a: Token, b: Token, areComments: boolean): boolean {
  if (QUOTE.test(a.key) && QUOTE.test(b.key)) return true;
  return areComments && isWord(a) && a.key.toLowerCase() === b.key.toLowerCase();
}

function withoutTail(tokens: readonly Token[]): readonly Token[] {
  return LINE_TAIL.test(tokens.at(-1)?.key ?? '') ? tokens.slice(0, -1) : tokens;
}

/** The keys of a line, with one and the same sign for every value, and names without their numbers. */
function withValues(tokens: readonly Token[]): string[] {
  const keys: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const end = QUOTE.test(tokens[i]!.key) ? closingQuote(tokens, i) : -1;
    const isString = end > i && (tokens[end + 1]?.key !== ':' || tokens[i - 1]?.key === '?');
    if (isString) i = end;
    keys.push(isString || LITERAL.test(tokens[i]!.key) ? VALUE : stem(tokens[i]!));
  }
  return keys;
}

/** Index of the quote that closes the one at `at`, if there is no white space between; else -1. */
function closingQuote(tokens: readonly Token[], at: number): number {
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]!.start > tokens[i - 1]!.end) return -1;
    if (tokens[i]!.key === tokens[at]!.key) return i;
  }
  return -1;
}
