import type { LineLikeness, LineMatch } from '../location';
import type { LinePath } from './line_path';

/** Share of lines that must match. */
const EQUAL_LINES = 0.5;
const ALIKE_LINES = 0.75;
const ALIKE_MIDDLE = 0.6;
const BAD_LINES = 0.15;
const MOST_UNQUOTED = 0.4;
/** Lines that are alike must have so many folded characters before a line that differs is let pass, and such a share before two are. */
const FEWEST_ALIKE_CHARACTERS = 20;
const ALIKE_CHARACTERS = 0.6;
const ALIKE: ReadonlySet<LineLikeness> = new Set<LineLikeness>(['equal', 'close', 'restyled', 'reworded']);

/** Counts the lines of a path by likeness. */
interface Tally {
  count: number;
  equal: number;
  alike: number;
  /** Lines of old that differ or are missing. */
  wrong: number;
  /** Lines of the file between the first and the last that old does not quote. */
  unquoted: number;
  /** Alike, but in other words. */
  reworded: number;
  alikeCharacters: number;
  allCharacters: number;
}

/**
 * The level a path passes, or undefined. block_anchor: three lines or more, the outermost equal, the middle >= 60 %
 * alike. context_aware: the outermost alike, half of the lines equal, three quarters alike or all but one.
 * Both: no other values, few lines that differ, are missing or are not quoted.
 */
export function judgePath(lines: readonly LineMatch[], lengths: readonly number[]): 'block_anchor' | 'context_aware' | undefined {
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const tally = count(lines, lengths);
  if (!isEdge(first, tally) || !isEdge(last, tally) || lines.some(line => line.likeness === 'stale')) return undefined;
  const middle = lines.slice(1, -1);
  const anchored = first.likeness === 'equal' && last.likeness === 'equal' && middle.length > 0;
  const steady = anchored && middle.filter(isAlike).length >= ALIKE_MIDDLE * middle.length;
  if (!isTolerable(tally, steady ? Math.floor((1 - ALIKE_MIDDLE) * middle.length) : 0)) return undefined;
  if (steady) return 'block_anchor';
  if (lines.length <= 2) return tally.wrong === 0 && tally.unquoted <= 1 ? 'context_aware' : undefined;
  const enough = tally.alike >= ALIKE_LINES * lines.length || tally.wrong === 1;
  return (tally.equal >= EQUAL_LINES * lines.length && enough) || isSameText(lines, tally) ? 'context_aware' : undefined;
}

function isTolerable({ count: lines, wrong, reworded, unquoted, ...characters }: Tally, allowedWrong: number): boolean {
  if (unquoted > Math.max(2, MOST_UNQUOTED * lines)) return false;
  const loose = wrong + reworded;
  if (loose === 0) return true;
  if (wrong > 0 && characters.alikeCharacters < FEWEST_ALIKE_CHARACTERS) return false;
  if (wrong > 1 && characters.alikeCharacters < ALIKE_CHARACTERS * characters.allCharacters) return false;
  const allowed = Math.max(1, Math.floor(BAD_LINES * lines), allowedWrong);
  return wrong > 0 ? loose + unquoted <= allowed : loose <= allowed;
}

/** The outermost lines are alike; one that is a comment may be another comment when all the rest is as quoted. */
function isEdge(line: LineMatch, tally: Tally): boolean {
  return isAlike(line) || (line.remark === true && tally.wrong === 1 && tally.unquoted === 0 && tally.count > 2);
}

/** Every line is there, with no more than typos and another style. */
function isSameText(lines: readonly LineMatch[], { wrong, unquoted }: Tally): boolean {
  return wrong === 0 && unquoted === 0 && lines.every(line => line.likeness !== 'reworded');
}

function count(lines: readonly LineMatch[], lengths: readonly number[]): Tally {
  const alike = lines.filter(isAlike).length;
  const last = lines.findLast(line => line.fileLine >= 0)?.fileLine ?? -1;
  return {
    count: lines.length,
    equal: lines.filter(line => line.likeness === 'equal').length,
    alike,
    wrong: lines.length - alike,
    unquoted: last + 1 - lines.filter(line => line.fileLine >= 0).length,
    reworded: lines.filter(line => line.likeness === 'reworded').length,
    allCharacters: lengths.reduce((sum, length) => sum + length, 0),
    alikeCharacters: lines.reduce((sum, line, i) => sum + (isAlike(line) ? lengths[i]! : 0), 0),
  };
}

/** True when `other` is nowhere better than `best`, and has a wrong line where `best` has a right one. */
export function isDominated(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  const nowhereBetter = best.every((line, i) => isAlike(line) || !isAlike(other[i]!));
  return nowhereBetter && best.some((line, i) => isAlike(line) && !isAlike(other[i]!));
}

/** Returns true when `other` has a line that is wrong in `best`, and no more wrong lines than `best`: it is open which is meant. */
export function isCounterpart(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  if (!best.some((line, i) => !isAlike(line) && isAlike(other[i]!))) return false;
  return other.filter(isAlike).length >= best.filter(isAlike).length;
}

export function sameTarget(a: LinePath, b: LinePath): boolean {
  return a.targets.every((target, i) => target === b.targets[i]);
}

function isAlike(line: LineMatch): boolean {
  return ALIKE.has(line.likeness);
}
