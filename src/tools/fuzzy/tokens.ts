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

/** A line that has tokens; blank lines belong to the spacing between tokens. `first` and `last` are token indexes, inclusive. */
export interface TokenLine {
  first: number;
  last: number;
}

/** source[from, to) as tokens. The white space between two tokens is their spacing. */
export interface TokenText {
  source: string;
  from: number;
  to: number;
  tokens: Token[];
  lines: TokenLine[];
}

export interface TokenOptions {
  /** Treat backslashes, and the letter of \n, \t, \r after one, as white space. */
  escapesAreSpace?: boolean;
}

const SPACE_CLASS = '\\s\\u200b\\u2060\\u00ad';
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const MARKED = '[\\p{M}\\u200c\\u200d]*';
const NEWLINE = 10;
const [OTHER_KIND, SPACE_KIND, WORD_KIND, DASH_KIND, DOT_KIND] = [0, 1, 2, 3, 4];
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => asciiKind(String.fromCharCode(code)));
const UNICODE_TOKEN = new RegExp(
  `[${CJK}]${MARKED}|(?:(?![${CJK}])[\\p{L}\\p{N}_$]${MARKED})+|[-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]+|[.\\u2026]+|[^${SPACE_CLASS}]${MARKED}`,
  'uy',
);
const PLAIN_SPACING = new RegExp(`[${SPACE_CLASS}]*`, 'y');
const ESCAPE_SPACING = new RegExp(`(?:[${SPACE_CLASS}]|\\\\+[ntr]?)*`, 'y');
const WORD = /^[\p{L}\p{N}_$]/u;
const CJK_CHARACTER = new RegExp(`^[${CJK}]`, 'u');
const UNICODE_DASH = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/;
const DASHES = /^-+$/;

/** Tokenizes source[from, to) in linear time. Never splits a surrogate pair or separates a mark from its base character. */
export function tokenize(source: string, from = 0, to = source.length, options: TokenOptions = {}): TokenText {
  const text = source.slice(from, to);
  const ascii = isAscii(text);
  const view: TokenText = { source, from, to, tokens: [], lines: [] };
  if (ascii && options.escapesAreSpace !== true) scanAscii(view, text);
  else scanUnicode(view, text, options.escapesAreSpace === true ? ESCAPE_SPACING : PLAIN_SPACING);
  return view;
}

/** Scans plain ASCII, the common case, without regular expressions. */
function scanAscii(view: TokenText, text: string): void {
  let newLine = true;
  for (let i = 0; i < text.length; ) {
    const kind = ASCII_KINDS[text.charCodeAt(i)]!;
    if (kind === SPACE_KIND) {
      newLine ||= text.charCodeAt(i) === NEWLINE;
      i++;
      continue;
    }
    let end = i + 1;
    if (kind !== OTHER_KIND) while (end < text.length && ASCII_KINDS[text.charCodeAt(end)] === kind) end++;
    const piece = text.slice(i, end);
    addToken(view, { start: view.from + i, text: piece, key: piece }, newLine);
    newLine = false;
    i = end;
  }
}

function scanUnicode(view: TokenText, text: string, spacingPattern: RegExp): void {
  const token = new RegExp(UNICODE_TOKEN);
  const spacing = new RegExp(spacingPattern);
  for (let position = 0; position < text.length; ) {
    spacing.lastIndex = position;
    const space = spacing.exec(text)?.[0] ?? '';
    position += space.length;
    token.lastIndex = position;
    const piece = token.exec(text)?.[0];
    if (piece === undefined) return;
    addToken(
      view,
      { start: view.from + position, text: piece, key: canonicalText(piece) },
      view.tokens.length === 0 || space.includes('\n'),
    );
    position += piece.length;
  }
}

function addToken(view: TokenText, piece: { start: number; text: string; key: string }, newLine: boolean): void {
  const index = view.tokens.length;
  if (newLine) view.lines.push({ first: index, last: index });
  const line = view.lines.length - 1;
  view.lines[line]!.last = index;
  view.tokens.push({ start: piece.start, end: piece.start + piece.text.length, text: piece.text, key: piece.key, line });
}

/** Returns the text between token `index` - 1 and token `index`. For `index` = token count, the text after the last token. */
export function spacingBefore(view: TokenText, index: number): string {
  const start = index === 0 ? view.from : view.tokens[index - 1]!.end;
  const end = index >= view.tokens.length ? view.to : view.tokens[index]!.start;
  return view.source.slice(start, end);
}

/** Returns true when the spacing before token `i` of `a` equals the spacing before token `j` of `b`. Copies nothing. */
export function sameSpacing(a: TokenText, i: number, b: TokenText, j: number): boolean {
  const start = i === 0 ? a.from : a.tokens[i - 1]!.end;
  const length = (i >= a.tokens.length ? a.to : a.tokens[i]!.start) - start;
  const otherStart = j === 0 ? b.from : b.tokens[j - 1]!.end;
  if (length !== (j >= b.tokens.length ? b.to : b.tokens[j]!.start) - otherStart) return false;
  for (let k = 0; k < length; k++) if (a.source.charCodeAt(start + k) !== b.source.charCodeAt(otherStart + k)) return false;
  return true;
}

/** Counts the line feeds of a spacing. */
export function countBreaks(spacing: string): number {
  let breaks = 0;
  for (let at = spacing.indexOf('\n'); at !== -1; at = spacing.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

/** Returns the text of a line from its first token to its last. */
export function lineText(view: TokenText, line: number): string {
  const { first, last } = view.lines[line]!;
  return view.source.slice(view.tokens[first]!.start, view.tokens[last]!.end);
}

/** Returns the indentation of the line that token `index` begins, or undefined when the token does not begin a line. */
export function indentBefore(view: TokenText, index: number): string | undefined {
  const spacing = spacingBefore(view, index);
  const newline = spacing.lastIndexOf('\n');
  if (newline !== -1) return spacing.slice(newline + 1);
  return index === 0 ? spacing : undefined;
}

/** Returns true for a word, a number or a CJK character. */
export function isWord(token: Token): boolean {
  return WORD.test(token.text);
}

/** Returns true for a Han, Hiragana or Katakana character. */
export function isCjk(token: Token): boolean {
  return CJK_CHARACTER.test(token.text);
}

/** Compares two tokens by their strict form. A Unicode dash also equals any run of dashes. */
export function sameToken(a: Token, b: Token): boolean {
  if (a.key === b.key) return true;
  if (!DASHES.test(a.key) || !DASHES.test(b.key)) return false;
  return UNICODE_DASH.test(a.text) || UNICODE_DASH.test(b.text);
}

function asciiKind(character: string): number {
  if (/\s/.test(character)) return SPACE_KIND;
  if (/[A-Za-z0-9_$]/.test(character)) return WORD_KIND;
  if (character === '-') return DASH_KIND;
  return character === '.' ? DOT_KIND : OTHER_KIND;
}
