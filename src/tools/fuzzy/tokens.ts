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

/** One line that has tokens; blank lines are part of spacings. `first` and `last` are token indexes, both inclusive. */
export interface TokenLine {
  first: number;
  last: number;
}

/** A segment of a source seen as tokens with white space spacings between them. */
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

/** Tokens of source[from, to). Linear. Never splits a surrogate pair or takes a mark from its base. */
export function tokenize(source: string, from = 0, to = source.length, options: TokenOptions = {}): TokenText {
  const text = source.slice(from, to);
  const ascii = isAscii(text);
  const view: TokenText = { source, from, to, tokens: [], lines: [] };
  if (ascii && options.escapesAreSpace !== true) scanAscii(view, text);
  else scanUnicode(view, text, options.escapesAreSpace === true ? ESCAPE_SPACING : PLAIN_SPACING);
  return view;
}

/** By far the commonest case, without regular expressions. */
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

/** The text before token `index`; for `index` = number of tokens, the text after the last one. */
export function spacingBefore(view: TokenText, index: number): string {
  const start = index === 0 ? view.from : view.tokens[index - 1]!.end;
  const end = index >= view.tokens.length ? view.to : view.tokens[index]!.start;
  return view.source.slice(start, end);
}

/** Whether the spacing before token `i` of one text and the spacing before token `j` of another are the same; copies nothing. */
export function sameSpacing(a: TokenText, i: number, b: TokenText, j: number): boolean {
  const start = i === 0 ? a.from : a.tokens[i - 1]!.end;
  const length = (i >= a.tokens.length ? a.to : a.tokens[i]!.start) - start;
  const otherStart = j === 0 ? b.from : b.tokens[j - 1]!.end;
  if (length !== (j >= b.tokens.length ? b.to : b.tokens[j]!.start) - otherStart) return false;
  for (let k = 0; k < length; k++) if (a.source.charCodeAt(start + k) !== b.source.charCodeAt(otherStart + k)) return false;
  return true;
}

/** How many line feeds a spacing has. */
export function countBreaks(spacing: string): number {
  let breaks = 0;
  for (let at = spacing.indexOf('\n'); at !== -1; at = spacing.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

/** The text of a line from its first token to its last. */
export function lineText(view: TokenText, line: number): string {
  const { first, last } = view.lines[line]!;
  return view.source.slice(view.tokens[first]!.start, view.tokens[last]!.end);
}

/** The white space at the start of the line token `index` begins, or undefined when it does not begin a line. */
export function indentBefore(view: TokenText, index: number): string | undefined {
  const spacing = spacingBefore(view, index);
  const newline = spacing.lastIndexOf('\n');
  if (newline !== -1) return spacing.slice(newline + 1);
  return index === 0 ? spacing : undefined;
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

function asciiKind(character: string): number {
  if (/\s/.test(character)) return SPACE_KIND;
  if (/[A-Za-z0-9_$]/.test(character)) return WORD_KIND;
  if (character === '-') return DASH_KIND;
  return character === '.' ? DOT_KIND : OTHER_KIND;
}
