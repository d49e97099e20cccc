import { isWord, sameToken, type Token } from '../tokens';

const QUOTE = /^["'`]$/;
const LINE_TAIL = /^[;,]$/;
const LITERAL = /^(?:\d[\p{L}\p{N}_]*|true|false|null|undefined|none|True|False|None)$/u;
const OPERATOR = /^[!<>=&|+*/%?~^]$|^-+$/;
const OPENER = /^[{[(:]$/;
const DECLARATION = /^(?:function|class|interface|type|enum|struct|namespace|module|trait|impl|def|fn|func|case|describe|it|test)$/;
/** Token count of a quoted key, a colon and an opening bracket. */
const MAX_KEY_HEAD = 5;
/** Placeholder for a number, a truth value or a string without spaces that is not a key. */
const VALUE = '\0';

/**
 * Returns true when two lines differ only in style: the kind of quotes, one semicolon or comma at the end, and in comments
 * the case of letters.
 */
export function isRestyled(old: readonly Token[], file: readonly Token[], areComments: boolean): boolean {
  const [a, b] = [withoutTail(old), withoutTail(file)];
  if (a.length !== b.length || a.length === 0) return false;
  return a.every((token, i) => sameToken(token, b[i]!) || isSameStyled(token, b[i]!, areComments));
}

/** Returns true when two lines differ only in the kind of quotes. */
export function differsInQuotesOnly(old: readonly Token[], file: readonly Token[]): boolean {
  return old.length === file.length && old.every((token, i) => sameToken(token, file[i]!) || isSameStyled(token, file[i]!, false));
}

/** Returns true for a straight quote or a backtick. */
export function isQuote(token: Token): boolean {
  return QUOTE.test(token.key);
}

/** Returns true when two lines differ in operators, or in values (numbers, truth values, strings of one word) around a shared name. */
export function isStale(old: readonly Token[], file: readonly Token[]): boolean {
  if (hasOtherOperators(old, file)) return true;
  const [a, b] = [withValues(withoutTail(old)), withValues(withoutTail(file))];
  if (a.length !== b.length) return hasMoreValues(a, b) || hasMoreValues(b, a);
  if (!a.every((value, i) => value === b[i])) return false;
  const words = new Set(file.filter(isWord).map(stem));
  return old.some(token => words.has(stem(token))) || !a.some(value => /\p{L}/u.test(value));
}

/** Compares lines with the same words and other operators between them, such as `!ready` and `ready`. */
function hasOtherOperators(old: readonly Token[], file: readonly Token[]): boolean {
  const [a, b] = [old, file].map(tokens => tokens.filter(token => isWord(token) || OPERATOR.test(token.key)).map(token => token.key));
  const words = (keys: readonly string[]): string => keys.filter(key => !OPERATOR.test(key)).join(' ');
  return words(a!) !== '' && words(a!) === words(b!) && a!.join(' ') !== b!.join(' ');
}

/** Returns true when the long line is the short one plus values and punctuation, without another word: `port + '/a'` and `port`. */
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

/** A name without its digits. */
function stem(token: Token): string {
  return token.key.replace(/\d+/g, '');
}

/** Returns true for the heads of two blocks that differ in one name: `function a() {` and `function b() {`, `"x": {` and `"y": {`. */
export function isOtherBlockHead(old: readonly Token[], file: readonly Token[]): boolean {
  if (isQuotedKey(old) && isQuotedKey(file)) return old.map(token => token.key).join(' ') !== file.map(token => token.key).join(' ');
  if (old.length !== file.length || !OPENER.test(old.at(-1)?.key ?? '')) return false;
  const isKey = old.length <= MAX_KEY_HEAD && old.at(-2)?.key === ':';
  if (!isKey && !old.slice(0, 3).some(token => DECLARATION.test(token.key))) return false;
  return old.filter((token, i) => !sameToken(token, file[i]!)).length === 1;
}

/** Matches a quoted key that opens a block: `"one or more words": {`. */
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

/** Returns the token keys of a line, with one placeholder for every value and names without digits. */
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

/** Returns the index of the quote that closes the one at `at`, or -1 when white space comes first. */
function closingQuote(tokens: readonly Token[], at: number): number {
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]!.start > tokens[i - 1]!.end) return -1;
    if (tokens[i]!.key === tokens[at]!.key) return i;
  }
  return -1;
}
