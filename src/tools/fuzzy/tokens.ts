import { canonicalText, isAscii } from './characters';

/** A word, one CJK character, a run of dashes or dots, or one other character with its marks. Offsets are into `TokenText.source`. */
export interface Token {
  start: number;
  end: number;
  text: string;
  /** Strict comparison form, see canonicalText. */
  key: string;
  /** Index into TokenText.lines. */
  line: number;
}

/** One line that has tokens; blank lines are part of gaps. `first` and `last` are token indexes, both inclusive. */
export interface TokenLine {
  first: number;
  last: number;
}

/** A stretch of a source seen as tokens with white space gaps between them. */
export interface TokenText {
  source: string;
  from: number;
  to: number;
  tokens: Token[];
  lines: TokenLine[];
}

export interface TokenOptions {
  /** Backslashes, and the letter of \n, \t, \r after one, count as white space. */
  escapesAreSpace?: boolean;
}

const GAP_SPACE = '\\s\\u200b\\u2060\\u00ad';
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const MARKED = '[\\p{M}\\u200c\\u200d]*';
const ASCII_TOKEN = /[A-Za-z0-9_$]+|-+|\.+|[^\s]/y;
const UNICODE_TOKEN = new RegExp(
  `[${CJK}]${MARKED}|(?:(?![${CJK}])[\\p{L}\\p{N}_$]${MARKED})+|[-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]+|[.\\u2026]+|[^${GAP_SPACE}]${MARKED}`,
  'uy',
);
const PLAIN_GAP = new RegExp(`[${GAP_SPACE}]*`, 'y');
const ESCAPE_GAP = new RegExp(`(?:[${GAP_SPACE}]|\\\\+[ntr]?)*`, 'y');
const WORD = /^[\p{L}\p{N}_$]/u;
const CJK_CHARACTER = new RegExp(`^[${CJK}]`, 'u');
const UNICODE_DASH = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/;
const DASHES = /^-+$/;

/** Tokens of source[from, to). Linear. Never splits a surrogate pair or takes a mark from its base. */
export function tokenize(source: string, from = 0, to = source.length, options: TokenOptions = {}): TokenText {
  const text = source.slice(from, to);
  const ascii = isAscii(text);
  const pattern = new RegExp(ascii ? ASCII_TOKEN : UNICODE_TOKEN);
  const gap = new RegExp(options.escapesAreSpace === true ? ESCAPE_GAP : PLAIN_GAP);
  const tokens: Token[] = [];
  const lines: TokenLine[] = [];
  let position = 0;
  while (position < text.length) {
    gap.lastIndex = position;
    const space = gap.exec(text)?.[0] ?? '';
    position += space.length;
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) break;
    if (tokens.length === 0 || space.includes('\n')) lines.push({ first: tokens.length, last: tokens.length });
    const line = lines.length - 1;
    lines[line]!.last = tokens.length;
    const start = from + position;
    tokens.push({ start, end: start + found.length, text: found, key: ascii ? found : tokenKey(found), line });
    position += found.length;
  }
  return { source, from, to, tokens, lines };
}

/** The text before token `index`; for `index` = number of tokens, the text after the last one. */
export function gapBefore(view: TokenText, index: number): string {
  const start = index === 0 ? view.from : view.tokens[index - 1]!.end;
  const end = index >= view.tokens.length ? view.to : view.tokens[index]!.start;
  return view.source.slice(start, end);
}

/** How many line feeds a gap has. */
export function countBreaks(gap: string): number {
  let breaks = 0;
  for (let at = gap.indexOf('\n'); at !== -1; at = gap.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

/** The text of a line from its first token to its last. */
export function lineText(view: TokenText, line: number): string {
  const { first, last } = view.lines[line]!;
  return view.source.slice(view.tokens[first]!.start, view.tokens[last]!.end);
}

/** The white space at the start of the line token `index` begins, or undefined when it does not begin a line. */
export function indentBefore(view: TokenText, index: number): string | undefined {
  const gap = gapBefore(view, index);
  const newline = gap.lastIndexOf('\n');
  if (newline !== -1) return gap.slice(newline + 1);
  return index === 0 ? gap : undefined;
}

export function isWord(token: Token): boolean {
  return WORD.test(token.text);
}

export function isCjk(token: Token): boolean {
  return CJK_CHARACTER.test(token.text);
}

/** Equal but for typography: a Unicode dash equals any run of dashes, everything else must have the same strict form. */
export function sameToken(a: Token, b: Token): boolean {
  if (a.key === b.key) return true;
  if (!DASHES.test(a.key) || !DASHES.test(b.key)) return false;
  return UNICODE_DASH.test(a.text) || UNICODE_DASH.test(b.text);
}

function tokenKey(text: string): string {
  return canonicalText(text);
}
