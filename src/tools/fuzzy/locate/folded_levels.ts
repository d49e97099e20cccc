import type { PatchStrategy } from '../../../port/patch_engine';
import type { Budget } from '../budget';
import { foldCharacter, isMarkAt, isSpaceCode } from '../characters';
import type { Location } from '../location';
import { countBreaks, indentBefore, isCjk, isWord, sameToken, spacingBefore, type Token, type TokenText, tokenize } from '../tokens';
import type { FileView } from './file_view';
import { characterEnd, dropEscapes, type FoldedText, foldText } from './fold';
import { widenToBoundaries } from './region';
import { findOccurrences } from './text_search';

/** Character pairs that form one operator. White space between them counts. */
const OPERATORS = new Set([
  '++', '--', '==', '!=', '<=', '>=', '=>', '&&', '||', '??', '<<', '>>', '**', '//', '/*', '*/', '?.', '->', '::',
  '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', ':=', '|>', '<-',
]); // biome-ignore format: a table

/** Budget cells for checking a place, and for a place that matches. */
const WINDOW_COST = 300;
const MATCH_COST = 2000;
const EXOTIC_SPACE = /[^\s]|[^\t\n\v\f\r ]/;
const WORD_UNIT = /[\p{L}\p{N}_$]/u;

/** The search text, tokenized and folded. */
export interface FoldedSearch {
  search: TokenText;
  folded: string;
  /** Escaped and unescaped text compare as equal. */
  escapesAreSpace: boolean;
}

/** Folds the search text, optionally without its escapes. */
export function toFoldedSearch(search: string, escapesAreSpace = false): FoldedSearch {
  return {
    search: tokenize(search, 0, search.length, { escapesAreSpace }),
    folded: (escapesAreSpace ? dropEscapes(foldText(search)) : foldText(search)).text,
    escapesAreSpace,
  };
}

/**
 * Levels 2, 3, 4, 6 and 7 in one linear pass: finds every place whose folded text equals the folded search text, compares its
 * tokens strictly and derives the level from the actual differences. Ordered by offset; places may overlap.
 */
export function findFolded(view: FileView, wanted: FoldedSearch, budget: Budget, limit = Number.POSITIVE_INFINITY): Location[] {
  if (wanted.search.tokens.length === 0) return [];
  const folded = wanted.escapesAreSpace ? view.foldedWithoutEscapes() : view.foldedAround(wanted.search, wanted.folded.length);
  const found: Location[] = [];
  for (const at of findOccurrences(folded.text, wanted.folded)) {
    budget.spend(WINDOW_COST + wanted.search.tokens.length);
    const window = toWindow(view.content, folded, at, wanted.folded.length);
    const location = window && checkWindow(view, wanted, window);
    if (!location) continue;
    budget.spend(MATCH_COST);
    found.push(location);
    if (found.length === limit) break;
  }
  return found;
}

/** Maps a range of folded text to original offsets. Undefined when the range would split a character. */
function toWindow(content: string, folded: FoldedText, at: number, length: number): [number, number] | undefined {
  const { positionOf, text } = folded;
  const start = positionOf(at);
  const last = positionOf(at + length - 1);
  if (positionOf(at - 1) === start || positionOf(at + length) === last) return undefined;
  let end = characterEnd(content, last);
  if (text.charAt(at + length - 1) === '-') {
    while (end < content.length && foldCharacter(content.charAt(end)) === '-') end++;
  }
  return [start, end];
}

function checkWindow(view: FileView, wanted: FoldedSearch, [start, end]: [number, number]): Location | undefined {
  const { search, escapesAreSpace } = wanted;
  if (cutsWord(view.content, start) || cutsWord(view.content, end)) return undefined;
  const core = tokenize(view.content, start, end, { escapesAreSpace });
  if (core.tokens.length !== search.tokens.length) return undefined;
  const differences = compareCore(search, core);
  if (!differences) return undefined;
  const region = widenToBoundaries(view, search, core);
  const file: TokenText = { ...core, from: region.start, to: region.end };
  return {
    strategy: nameLevel(differences, region),
    start: region.start,
    end: region.end,
    old: search,
    file,
    oldToFile: Int32Array.from(search.tokens.keys()),
    escapesAreSpace,
    sameIndentation: hasSameIndentation(search, file, region.partialStart),
  };
}

interface Differences {
  typography: boolean;
  innerSpace: boolean;
}

/** Returns the differences between two texts with the same number of tokens, or undefined when a token differs. */
function compareCore(search: TokenText, core: TokenText): Differences | undefined {
  const differences: Differences = { typography: false, innerSpace: false };
  for (let i = 0; i < search.tokens.length; i++) {
    const wanted = search.tokens[i]!;
    const present = core.tokens[i]!;
    if (!sameToken(wanted, present)) return undefined;
    if (wanted.text !== present.text) differences.typography = true;
    if (i === 0) continue;
    const wantedSpacing = spacingBefore(search, i);
    const presentSpacing = spacingBefore(core, i);
    if (wantedSpacing === presentSpacing) continue;
    if ((wantedSpacing === '') !== (presentSpacing === '') && !mayTouch(wanted, search.tokens[i - 1]!)) return undefined;
    if (EXOTIC_SPACE.test(wantedSpacing) || EXOTIC_SPACE.test(presentSpacing))
      differences.typography ||= isExoticDifference(wantedSpacing, presentSpacing);
    if (!sameLineStructure(wantedSpacing, presentSpacing)) differences.innerSpace = true;
  }
  return differences;
}

/** Returns true where white space may be added or removed: where that joins no words and forms no other operator. */
function mayTouch(token: Token, previous: Token): boolean {
  if (isWord(token) && isWord(previous)) return isCjk(token) || isCjk(previous);
  return !OPERATORS.has(previous.text.slice(-1) + token.text.slice(0, 1));
}

function isExoticDifference(a: string, b: string): boolean {
  return a.replace(/[^\t\n\v\f\r ]/g, ' ') === b.replace(/[^\t\n\v\f\r ]/g, ' ');
}

/** Returns true for the same number of line breaks, trailing blanks and indentation aside; on one line, for the same white space. */
function sameLineStructure(a: string, b: string): boolean {
  const breaks = countBreaks(a);
  return breaks === countBreaks(b) && (breaks > 0 || a === b);
}

function nameLevel(differences: Differences, region: { partial: boolean; boundaryDiffers: boolean }): PatchStrategy {
  if (differences.typography) return 'unicode_normalized';
  if (region.boundaryDiffers) return 'trimmed_boundary';
  if (differences.innerSpace) return 'whitespace_normalized';
  return region.partial ? 'indent_flexible' : 'line_trimmed';
}

function hasSameIndentation(search: TokenText, file: TokenText, partialStart: boolean): boolean {
  for (const { first } of search.lines) {
    if (first === 0 && partialStart) continue;
    const indent = indentBefore(file, first);
    if (indent !== undefined && indent !== indentBefore(search, first)) return false;
  }
  return true;
}

/** Returns true inside a word, and between a character and its mark. */
function cutsWord(content: string, offset: number): boolean {
  if (offset <= 0 || offset >= content.length) return false;
  if (isMarkAt(content, offset)) return true;
  const before = content.charAt(offset - 1);
  const after = content.charAt(offset);
  if (isSpaceCode(before.charCodeAt(0)) || isSpaceCode(after.charCodeAt(0))) return false;
  return WORD_UNIT.test(before) && WORD_UNIT.test(after) && before.charCodeAt(0) < 0x2e80 && after.charCodeAt(0) < 0x2e80;
}
