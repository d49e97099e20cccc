import type { LineAlignment } from '../align/line_alignment';
import type { LineMatch, LineMatchKind } from '../location';

/** Share of lines that must match. */
const EQUAL_LINES = 0.5;
const SIMILAR_LINES = 0.75;
const SIMILAR_MIDDLE = 0.6;
const BAD_LINES = 0.15;
const MOST_UNQUOTED = 0.4;
/** Lines that are similar must have so many folded characters before a line that differs is let pass, and such a share before two are. */
const MIN_SIMILAR_CHARACTERS = 20;
const SIMILAR_CHARACTERS = 0.6;
const SIMILAR_KINDS: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['equal', 'typo', 'restyled', 'reworded']);

/** Counts the lines of a alignment by kind. */
interface Tally {
  count: number;
  equal: number;
  similar: number;
  /** Lines of old that differ or are missing. */
  wrong: number;
  /** Lines of the file between the first and the last that old does not quote. */
  unquoted: number;
  /** Alike, but in other words. */
  reworded: number;
  similarCharacters: number;
  allCharacters: number;
}

/**
 * The level a alignment passes, or undefined. block_anchor: three lines or more, the outermost equal, the middle >= 60 %
 * similar. context_aware: the outermost similar, half of the lines equal, three quarters similar or all but one.
 * Both: no other values, few lines that differ, are missing or are not quoted.
 */
export function acceptedLevel(lines: readonly LineMatch[], lengths: readonly number[]): 'block_anchor' | 'context_aware' | undefined {
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const tally = count(lines, lengths);
  if (!isEdge(first, tally) || !isEdge(last, tally) || lines.some(line => line.kind === 'stale')) return undefined;
  const middle = lines.slice(1, -1);
  const anchored = first.kind === 'equal' && last.kind === 'equal' && middle.length > 0;
  const steady = anchored && middle.filter(isSimilar).length >= SIMILAR_MIDDLE * middle.length;
  if (!isTolerable(tally, steady ? Math.floor((1 - SIMILAR_MIDDLE) * middle.length) : 0)) return undefined;
  if (steady) return 'block_anchor';
  if (lines.length <= 2) return tally.wrong === 0 && tally.unquoted <= 1 ? 'context_aware' : undefined;
  const enough = tally.similar >= SIMILAR_LINES * lines.length || tally.wrong === 1;
  return (tally.equal >= EQUAL_LINES * lines.length && enough) || isSameText(lines, tally) ? 'context_aware' : undefined;
}

function isTolerable({ count: lines, wrong, reworded, unquoted, ...characters }: Tally, allowedWrong: number): boolean {
  if (unquoted > Math.max(2, MOST_UNQUOTED * lines)) return false;
  const loose = wrong + reworded;
  if (loose === 0) return true;
  if (wrong > 0 && characters.similarCharacters < MIN_SIMILAR_CHARACTERS) return false;
  if (wrong > 1 && characters.similarCharacters < SIMILAR_CHARACTERS * characters.allCharacters) return false;
  const allowed = Math.max(1, Math.floor(BAD_LINES * lines), allowedWrong);
  return wrong > 0 ? loose + unquoted <= allowed : loose <= allowed;
}

/** The outermost lines are similar; one that is a comment may be another comment when all the rest is as quoted. */
function isEdge(line: LineMatch, tally: Tally): boolean {
  return isSimilar(line) || (line.inComment === true && tally.wrong === 1 && tally.unquoted === 0 && tally.count > 2);
}

/** Every line is there, with no more than typos and another style. */
function isSameText(lines: readonly LineMatch[], { wrong, unquoted }: Tally): boolean {
  return wrong === 0 && unquoted === 0 && lines.every(line => line.kind !== 'reworded');
}

function count(lines: readonly LineMatch[], lengths: readonly number[]): Tally {
  const similar = lines.filter(isSimilar).length;
  const last = lines.findLast(line => line.fileLine >= 0)?.fileLine ?? -1;
  return {
    count: lines.length,
    equal: lines.filter(line => line.kind === 'equal').length,
    similar,
    wrong: lines.length - similar,
    unquoted: last + 1 - lines.filter(line => line.fileLine >= 0).length,
    reworded: lines.filter(line => line.kind === 'reworded').length,
    allCharacters: lengths.reduce((sum, length) => sum + length, 0),
    similarCharacters: lines.reduce((sum, line, i) => sum + (isSimilar(line) ? lengths[i]! : 0), 0),
  };
}

/** True when `other` is nowhere better than `best`, and has a wrong line where `best` has a right one. */
export function isDominated(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  const nowhereBetter = best.every((line, i) => isSimilar(line) || !isSimilar(other[i]!));
  return nowhereBetter && best.some((line, i) => isSimilar(line) && !isSimilar(other[i]!));
}

/** Returns true when `other` has a line that is wrong in `best`, and no more wrong lines than `best`: it is open which is meant. */
export function isCounterpart(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  if (!best.some((line, i) => !isSimilar(line) && isSimilar(other[i]!))) return false;
  return other.filter(isSimilar).length >= best.filter(isSimilar).length;
}

export function sameTarget(a: LineAlignment, b: LineAlignment): boolean {
  return a.targets.every((target, i) => target === b.targets[i]);
}

function isSimilar(line: LineMatch): boolean {
  return SIMILAR_KINDS.has(line.kind);
}
