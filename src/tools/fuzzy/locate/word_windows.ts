import { hasAsciiForm } from '../characters';
import type { TokenText } from '../tokens';
import { type FoldedText, foldText } from './fold';

/** [start, end) of a text. */
type Window = [start: number, end: number];

const ASCII_WORD = /^[A-Za-z0-9_$]+$/;
const WIDE = /[^\0-\x7f]/;
const [HYPHEN, SPACE, DELETE] = [45, 32, 127];
/** Words of the search text that are looked up, longest first. */
const TRIED_WORDS = 3;
/** A word with so few places is taken at once; one with too many is of no use. */
const FEW_PLACES = 2;
const MANY_PLACES = 16;
const MANY_LOOKS = 200;
/** With a greater share of the content, all of it is folded, because later levels want that. */
const MOST_COVERED = 0.5;
/** Nothing in the folded text is a line feed, so no match runs from one window into the next. */
const SEPARATOR = '\n';

/**
 * The folded parts of `content` that can hold `search`: those around one of its words. Every place that has the tokens of
 * `search` has this word as it is, so nothing is missed. `reach` is the folded length of `search`. Undefined when it has
 * no rare word, or when that would be much of the content. Only for content that hides no words (see `hidesWords`).
 */
export function foldAroundWord(content: string, search: TokenText, reach: number): FoldedText | undefined {
  const word = findRareWord(content, search);
  if (!word) return undefined;
  const windows: Window[] = [];
  for (const place of word.places) {
    const start = reachBack(content, place, reach + 1);
    const end = reachForward(content, place + word.text.length, reach + 1);
    const previous = windows.at(-1);
    if (previous && start <= previous[1]) previous[1] = end;
    else windows.push([start, end]);
  }
  const covered = windows.reduce((sum, [start, end]) => sum + end - start, 0);
  return covered <= MOST_COVERED * content.length ? foldWindows(content, windows) : undefined;
}

/** Whether a text has characters such as full-width letters and ligatures, behind which words in plain letters may hide. */
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

/** The commonest wide characters, none of which has an ASCII form. */
function isHanOrHangul(code: number): boolean {
  return (code >= 0x3400 && code <= 0xa48f) || (code >= 0xac00 && code <= 0xd7a3);
}

interface RareWord {
  text: string;
  places: number[];
}

/** Of the longest words of the search text the one that the file has in the fewest places, if they are few. */
function findRareWord(content: string, search: TokenText): RareWord | undefined {
  const words = new Set(search.tokens.map(token => token.text).filter(text => ASCII_WORD.test(text)));
  const longest = [...words].sort((a, b) => b.length - a.length).slice(0, TRIED_WORDS);
  let best: RareWord | undefined;
  for (const text of longest) {
    const places = findWord(content, text, best?.places.length ?? MANY_PLACES);
    if (!places) continue;
    best = { text, places };
    if (places.length <= FEW_PLACES) break;
  }
  return best;
}

/** Where `word` stands alone; undefined when that is in `limit` places or more, or takes long to tell. */
function findWord(content: string, word: string, limit: number): number[] | undefined {
  const places: number[] = [];
  let looks = 0;
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + 1)) {
    if (++looks === MANY_LOOKS) return undefined;
    if (isWordCode(content.charCodeAt(at - 1)) || isWordCode(content.charCodeAt(at + word.length))) continue;
    if (places.push(at) === limit) return undefined;
  }
  return places;
}

/** The nearest plain character with at least `units` folded units from it to `from`; the start of the text if there is none. */
function reachBack(content: string, from: number, units: number): number {
  let at = from;
  for (let left = units; left > 0 && at > 0; ) if (isPlain(content.charCodeAt(--at))) left--;
  return at;
}

/** The end of the nearest plain character with as many folded units from `from`; the end of the text if there is none. */
function reachForward(content: string, from: number, units: number): number {
  let at = from;
  for (let left = units; left > 0 && at < content.length; ) if (isPlain(content.charCodeAt(at++))) left--;
  return at;
}

/** Folds to one unit whatever is beside it. Dashes do not: a run of them becomes one. */
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
