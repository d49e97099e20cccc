import type { LinePath } from './line_path';
import type { LineMatch } from './location';

/** Share of lines, or folded characters, that must be so. */
const EQUAL_LINES = 0.5;
const ALIKE_LINES = 0.75;
const ALIKE_MIDDLE = 0.6;
const ALIKE_CHARACTERS = 0.6;
const BAD_LINES = 0.15;
const NEAR_CHARACTERS = 0.75;
const MOST_UNQUOTED = 0.4;

/**
 * The level a path passes, or undefined. block_anchor: three lines or more, the outermost equal, the middle >= 60 %
 * alike. context_aware: the outermost alike, half of the lines equal, three quarters alike. Both: few bad lines.
 */
export function judgePath(lines: readonly LineMatch[], lengths: readonly number[]): 'block_anchor' | 'context_aware' | undefined {
  const [first, last] = [lines[0]!, lines.at(-1)!];
  if (!isAlike(first) || !isAlike(last)) return undefined;
  const equal = lines.filter(line => line.likeness === 'equal').length;
  const alike = lines.filter(isAlike).length;
  const wrong = lines.length - alike;
  const unquoted = last.fileLine + 1 - lines.filter(line => line.fileLine >= 0).length;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const alikeCharacters = lines.reduce((sum, line, i) => sum + (isAlike(line) ? lengths[i]! : 0), 0);
  if (alikeCharacters < ALIKE_CHARACTERS * total) return undefined;
  const allowed = Math.max(1, Math.floor(BAD_LINES * lines.length));
  if (wrong > 0 && wrong + unquoted > allowed) return undefined;
  if (lines.some(line => line.likeness === 'different' && !isSlightlyDifferent(line, lines.length))) return undefined;
  if (unquoted > Math.max(2, MOST_UNQUOTED * lines.length)) return undefined;
  const middle = lines.slice(1, -1);
  const anchored = first.likeness === 'equal' && last.likeness === 'equal' && lines.length >= 3;
  if (anchored && middle.filter(isAlike).length >= ALIKE_MIDDLE * middle.length) return 'block_anchor';
  if (lines.length <= 2) return alike === lines.length && unquoted <= 1 ? 'context_aware' : undefined;
  const onlyTypos = unquoted === 0 && lines.every(line => line.likeness === 'equal' || line.likeness === 'close');
  const passes = equal >= EQUAL_LINES * lines.length && alike >= ALIKE_LINES * lines.length;
  return passes || onlyTypos ? 'context_aware' : undefined;
}

/** A context line that differs in substance is let pass only in a long quotation, and only when most of it is the same. */
function isSlightlyDifferent(line: LineMatch, count: number): boolean {
  return BAD_LINES * count >= 1 && (line.nearness ?? 0) >= NEAR_CHARACTERS;
}

/** True when `other` is nowhere better than `best`, and has a wrong line where `best` has a right one. */
export function isDominated(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  const nowhereBetter = best.every((line, i) => isAlike(line) || !isAlike(other[i]!));
  return nowhereBetter && best.some((line, i) => isAlike(line) && !isAlike(other[i]!));
}

export function sameTarget(a: LinePath, b: LinePath): boolean {
  return a.targets.every((target, i) => target === b.targets[i]);
}

function isAlike(line: LineMatch): boolean {
  return line.likeness === 'equal' || line.likeness === 'close' || line.likeness === 'reworded';
}
