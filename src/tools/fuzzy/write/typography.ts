import { isComment } from '../align/line_comparison';
import { canonicalText, isAscii } from '../characters';
import type { Location } from '../location';
import { isWord, sameToken, spacingBefore, type TokenText } from '../tokens';

/** Returns added token j of new in the file's typography. `line` is the text before it on its line. */
export type TokenTypography = (next: TokenText, j: number, line: string) => string;

const STRAIGHT = ['"', "'"] as const;
type Straight = (typeof STRAIGHT)[number];
const CURLY: Readonly<Record<Straight, readonly [string, string]>> = { '"': ['\u201c', '\u201d'], "'": ['\u2018', '\u2019'] };
/** A token is rewritten if the file keeps it as it is in at most this share of its occurrences. */
const MAX_EXCEPTIONS = 0.25;

/** Punctuation of Chinese and Japanese prose, which code does not use. */
const FULL_WIDTH = /[\u3000-\u303f\uff00-\uffef]/;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

type Counterparts = Map<string, Map<string, number>>;

/**
 * Learns typography from aligned tokens of old and the file. A token that the file almost always writes differently is written
 * the file's way. If old has typographic characters where the file is plain ASCII, added text becomes plain too.
 */
export function learnTypography(location: Location): TokenTypography {
  const rewritten = rewrittenTokens(location);
  if (rewritten.size === 0) return (next, j) => next.tokens[j]!.text;
  const learned: Counterparts = new Map();
  const kinds = createKinds();
  let plainFile = true;
  let typographicOld = false;
  let form: 'NFC' | 'NFD' | undefined;
  location.old.tokens.forEach((token, i) => {
    const target = location.file.tokens[location.oldToFile[i] ?? -1];
    if (!target) return;
    // Other tokens are never rewritten, so they need no entry.
    if (rewritten.has(token.text) || isStraight(token.text))
      for (const key of [...keysOf(location.old, i, kinds(location.old, token.line)), ...keysOf(location.old, i)])
        count(learned, key, target.text);
    if (token.text === target.text) return;
    plainFile &&= isAscii(target.text);
    typographicOld ||= !isAscii(token.text) && sameToken(token, target);
    form ??= normalForm(token.text, target.text);
  });
  const curled = STRAIGHT.some(quote => counterpartsOf(learned.get(quote), quote).some(counterpart => CURLY[quote].includes(counterpart)));
  return (next, j, line) => {
    const token = next.tokens[j]!;
    if (curled && isStraight(token.text) && !isKept(learned.get(token.text), token.text)) return curl(token.text, line);
    const particular = keysOf(next, j, kinds(next, token.line));
    const isKnown = learned.has(particular[1]);
    for (const key of isKnown ? particular : keysOf(next, j)) {
      const [counterpart] = counterpartsOf(learned.get(key), token.text);
      if (counterpart === undefined || (isFullWidth(counterpart) && !(isKnown && hasCjk(next, token.line)))) continue;
      return isStraight(token.text) && isStraight(counterpart) && mixesQuotes(next, token.line) ? token.text : counterpart;
    }
    if (isAscii(token.text)) return token.text;
    if (typographicOld && plainFile && !isWord(token)) return toPlain(token.text);
    return form ? token.text.normalize(form) : token.text;
  };
}

/** Returns true when a line has Chinese or Japanese words, so full-width punctuation fits it. */
function hasCjk(view: TokenText, line: number): boolean {
  const { first, last } = view.lines[line]!;
  return view.tokens.slice(first, last + 1).some(token => CJK.test(token.text));
}

/** Returns true when a line has both kinds of straight quotes. Then one must not replace the other. */
export function mixesQuotes(view: TokenText, line: number): boolean {
  const { first, last } = view.lines[line]!;
  const texts = new Set(view.tokens.slice(first, last + 1).map(token => token.text));
  return STRAIGHT.every(quote => texts.has(quote));
}

/** Returns the tokens of old that the file writes differently at least once. */
function rewrittenTokens({ old, file, oldToFile }: Location): Set<string> {
  const rewritten = new Set<string>();
  old.tokens.forEach((token, i) => {
    const target = file.tokens[oldToFile[i] ?? -1];
    if (target && target.text !== token.text) rewritten.add(token.text);
  });
  return rewritten;
}

/** Classifies each line as comment or code, with a cache. Typography in comments says nothing about code. */
function createKinds(): (view: TokenText, line: number) => string {
  const known = new Map<TokenText, string[]>();
  return (view, line) => {
    const kinds = known.get(view) ?? [];
    known.set(view, kinds);
    const { first, last } = view.lines[line]!;
    kinds[line] ??= isComment(view.tokens.slice(first, last + 1)) ? 'comment ' : 'other ';
    return kinds[line];
  };
}

/** Returns the lookup keys of a token: with the presence of spacing around it, then alone. */
function keysOf(view: TokenText, index: number, kind = ''): [string, string] {
  const text = kind + view.tokens[index]!.text;
  const spaced = `${spacingBefore(view, index) === '' ? 'tight' : 'loose'} ${spacingBefore(view, index + 1) === '' ? 'tight' : 'loose'}`;
  return [`${spaced} ${text}`, text];
}

function count(learned: Counterparts, key: string, counterpart: string): void {
  const row = learned.get(key) ?? new Map<string, number>();
  row.set(counterpart, (row.get(counterpart) ?? 0) + 1);
  learned.set(key, row);
}

function counterpartsOf(row: ReadonlyMap<string, number> | undefined, token: string): string[] {
  if (!row) return [];
  const total = [...row.values()].reduce((sum, number) => sum + number, 0);
  if ((row.get(token) ?? 0) > MAX_EXCEPTIONS * total) return [];
  return [...row]
    .filter(([counterpart]) => counterpart !== token)
    .sort((a, b) => b[1] - a[1])
    .map(([counterpart]) => counterpart);
}

function normalForm(old: string, file: string): 'NFC' | 'NFD' | undefined {
  if (old.normalize('NFC') === file) return 'NFC';
  return old.normalize('NFD') === file ? 'NFD' : undefined;
}

/** Returns true for full-width punctuation and letters. */
export function isFullWidth(text: string): boolean {
  return FULL_WIDTH.test(text);
}

function isStraight(text: string): text is Straight {
  return text === '"' || text === "'";
}

/** Returns true when the file keeps the token in more than exceptional cases. */
function isKept(row: ReadonlyMap<string, number> | undefined, token: string): boolean {
  return row !== undefined && counterpartsOf(row, token).length === 0;
}

/** Returns an opening quote unless one is open on the line. An apostrophe in or after a word is a closing quote. */
function curl(quote: Straight, line: string): string {
  const [opening, closing] = CURLY[quote];
  if (quote === "'" && /[\p{L}\p{N}]$/u.test(line.slice(-2))) return closing;
  return line.split(opening).length > line.split(closing).length ? closing : opening;
}

function toPlain(token: string): string {
  const plain = canonicalText(token);
  return isAscii(plain) ? plain : token;
}
