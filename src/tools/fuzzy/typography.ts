import { canonicalText, isAscii } from './characters';
import type { Location } from './location';
import { gapBefore, isWord, sameToken, type TokenText } from './tokens';

/** Rewrites token j of new, which only new has, in the spelling the file uses for it. `line` is what its line has before it. */
export type TokenSpelling = (next: TokenText, j: number, line: string) => string;

const OPENING = /(^|[\s([{\u2014])$/;
const OPENING_QUOTES = /[\u2018\u201c\u00ab]/;
const QUOTES = /[\u2018-\u201f]/;
const CURLY = { '"': ['\u201d', '\u201c'], "'": ['\u2019', '\u2018'] } as const;
/** A token is respelled although the file sometimes has it as it is, if that is so in no more than this share. */
const EXCEPTIONS = 0.25;

type Counterparts = Map<string, Map<string, number>>;

/**
 * Learns from the tokens of old and their counterparts in the file: a token that hardly ever stands for itself is
 * written as its counterpart; if old is typographic where the file is plain ASCII, all typography of new becomes plain.
 */
export function learnSpelling(location: Location): TokenSpelling {
  const learned: Counterparts = new Map();
  let plainFile = true;
  let typographicOld = false;
  let form: 'NFC' | 'NFD' | undefined;
  location.old.tokens.forEach((token, i) => {
    const target = location.file.tokens[location.oldToFile[i] ?? -1];
    if (!target) return;
    for (const key of keysOf(location.old, i)) count(learned, key, target.text);
    if (token.text === target.text) return;
    plainFile &&= isAscii(target.text);
    typographicOld ||= !isAscii(token.text) && sameToken(token, target);
    form ??= normalForm(token.text, target.text);
  });
  const curled = ['"', "'"].some(quote => counterpartsOf(learned.get(quote), quote).some(counterpart => QUOTES.test(counterpart)));
  return (next, j, line) => {
    const token = next.tokens[j]!;
    for (const key of keysOf(next, j)) {
      const candidates = counterpartsOf(learned.get(key), token.text);
      if (candidates.length > 0) return choose(candidates, line);
    }
    if (curled && (token.text === '"' || token.text === "'") && !learned.has(token.text)) return choose(CURLY[token.text], line);
    if (isAscii(token.text)) return token.text;
    if (typographicOld && plainFile && !isWord(token)) return toPlain(token.text);
    return form ? token.text.normalize(form) : token.text;
  };
}

/** What a token is filed under: itself between such gaps, then itself anywhere. */
function keysOf(view: TokenText, index: number): [string, string] {
  const { text } = view.tokens[index]!;
  const spaced = `${gapBefore(view, index) === '' ? 'tight' : 'loose'} ${gapBefore(view, index + 1) === '' ? 'tight' : 'loose'}`;
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
  if ((row.get(token) ?? 0) > EXCEPTIONS * total) return [];
  return [...row]
    .filter(([counterpart]) => counterpart !== token)
    .sort((a, b) => b[1] - a[1])
    .map(([counterpart]) => counterpart);
}

function normalForm(old: string, file: string): 'NFC' | 'NFD' | undefined {
  if (old.normalize('NFC') === file) return 'NFC';
  return old.normalize('NFD') === file ? 'NFD' : undefined;
}

/** Of an opening and a closing counterpart the one that fits; else the commonest. */
function choose(candidates: readonly string[], line: string): string {
  const opening = OPENING.test(line.slice(-1));
  const quotes = candidates.some(candidate => OPENING_QUOTES.test(candidate));
  return (quotes ? candidates.find(candidate => OPENING_QUOTES.test(candidate) === opening) : undefined) ?? candidates[0]!;
}

function toPlain(token: string): string {
  const plain = canonicalText(token);
  return isAscii(plain) ? plain : token;
}
