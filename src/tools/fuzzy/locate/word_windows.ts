import { hasAsciiForm } from '../characters';
import type { TokenText } from '../tokens';
import { type FoldedText, foldText } from './fold';

/** [start, end) of a text. */
type Window = [start: number, end: number];

const ASCII_WORD = /^[A-Za-z0-9_$]+$/;
const WIDE = /[^\0-\x7f]/;
const [HYPHEN, SPACE, DELETE] = [45, 32, 127];
/** Number of words of the search text to look up, longest first. */
const MAX_TRIED_WORDS = 3;
/** A word with at most FEW_PLACES places is taken at once; one with MANY_PLACES is not rare. */
const FEW_PLACES = 2;
const MANY_PLACES = 16;
const MAX_LOOKUPS = 200;
/** If the windows cover a larger share, all of the content is folded, because later levels need that anyway. */
const MAX_COVERED = 0.5;
/** A folded text contains no line feed, so no match spans two windows. */
const SEPARATOR = '\n';

/**
 * Folds only the parts of `content` around a rare word of `search`. Every match contains this word verbatim, so no match
 * is missed. `reach` is the folded length of `search`. Returns undefined when there is no rare word or when the parts
 * cover much of the content. Valid only for content without hidden words (see `hidesWords`).
 */
export function foldAroundWord(content: string, search: TokenText, reach: number): FoldedText | undefined {
  const word = findRareWord(content, search);
  if (!word) return undefined;
  const windows: Window[] = [];
  for (const place of word.places) {
    const start = stepBack(content, place, reach + 1);
    const end = stepForward(content, place + word.text.length, reach + 1);
    const previous = windows.at(-1);
    if (previous && start <= previous[1]) previous[1] = end;
    else windows.push([start, end]);
  }
  const covered = windows.reduce((sum, [start, end]) => sum + end - start, 0);
  return covered <= MAX_COVERED * content.length ? foldWindows(content, windows) : undefined;
}

/** Returns true when the content has characters such as full-width letters or ligatures that fold to ASCII letters. */
export function hidesWords(content: string): boolean {
  const first = content.search(WIDE);
  if (first === -1) return false;
  const known = new Set<number>();
  for (let i = first; i < content.length; i++) {
    const code = content.charCodeAt(i);
    if (code < 128 || isHanOrHangul(code)) continue;
    const point = content.codePointAt(i) ?? code;
    if (!known.has(point)) {
      if (hasAsciiForm(String.fromCodePoint(point))) return true;
      known.add(point);
    }
    if (point > 0xffff) i++;
  }
  return false;
}

/** Fast check for common characters that never fold to ASCII. */
function isHanOrHangul(code: number): boolean {
  return (code >= 0x3400 && code <= 0xa48f) || (code >= 0xac00 && code <= 0xd7a3);
}

interface RareWord {
  text: string;
  places: number[];
}

/** Returns the rarest of the longest words of the search text, if it is rare enough. */
function findRareWord(content: string, search: TokenText): RareWord | undefined {
  const words = new Set(search.tokens.map(token => token.text).filter(text => ASCII_WORD.test(text)));
  const longest = [...words].sort((a, b) => b.length - a.length).slice(0, MAX_TRIED_WORDS);
  let best: RareWord | undefined;
  for (const text of longest) {
    const places = findWord(content, text, best?.places.length ?? MANY_PLACES);
    if (!places) continue;
    best = { text, places };
    if (places.length <= FEW_PLACES) break;
  }
  return best;
}

/** Returns the places of a word on its own. Undefined at `limit` places or when counting takes too long. */
function findWord(content: string, word: string, limit: number): number[] | undefined {
  const places: number[] = [];
  let lookups = 0;
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + 1)) {
    if (++lookups === MAX_LOOKUPS) return undefined;
    if (isWordCode(content.charCodeAt(at - 1)) || isWordCode(content.charCodeAt(at + word.length))) continue;
    if (places.push(at) === limit) return undefined;
  }
  return places;
}

/** Steps back from `from` over at least `units` folded units, to a plain character or the start of the text. */
function stepBack(content: string, from: number, units: number): number {
  let at = from;
  for (let left = units; left > 0 && at > 0; ) if (isPlain(content.charCodeAt(--at))) left--;
  return at;
}

/** Steps forward from `from` over at least `units` folded units, to the end of a plain character or of the text. */
function stepForward(content: string, from: number, units: number): number {
  let at = from;
  for (let left = units; left > 0 && at < content.length; ) if (isPlain(content.charCodeAt(at++))) left--;
  return at;
}

/** Returns true for a character that folds to one unit in any context. A run of dashes folds to one. */
function isPlain(code: number): boolean {
  return code > SPACE && code < DELETE && code !== HYPHEN;
}

function isWordCode(code: number): boolean {
  return code < 128 && ASCII_WORD.test(String.fromCharCode(code));
}

function foldWindows(content: string, windows: readonly Window[]): FoldedText {
  const folded = windows.map(([start, end]) => foldText(content.slice(start, end)));
  const starts: number[] = [];
  let length = 0;
  for (const { text } of folded) {
    starts.push(length);
    length += text.length + SEPARATOR.length;
  }
  const positionOf = (index: number): number => {
    const window = starts.findLastIndex(start => start <= index);
    const position = folded[window]?.positionOf(index - starts[window]!) ?? -1;
    return position < 0 ? -1 : windows[window]![0] + position;
  };
  return { text: folded.map(({ text }) => text).join(SEPARATOR), positionOf };
}
