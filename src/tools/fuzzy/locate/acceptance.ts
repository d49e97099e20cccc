import type { LineAlignment } from '../align/line_alignment';
import type { LineMatch, LineMatchKind } from '../location';

/** Shares of the quoted lines. */
const MIN_EQUAL_LINES = 0.5;
const MIN_SIMILAR_LINES = 0.75;
const MIN_SIMILAR_MIDDLE = 0.6;
const MAX_WRONG_LINES = 0.15;
const MAX_UNQUOTED = 0.4;
/** One wrong line needs this many folded characters in similar lines; two or more need this share of all characters. */
const MIN_SIMILAR_CHARACTERS = 20;
const MIN_SIMILAR_SHARE = 0.6;
const SIMILAR_KINDS: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['equal', 'typo', 'restyled', 'reworded']);

/** Line counts of an alignment. */
interface LineCounts {
  total: number;
  equal: number;
  similar: number;
  /** Lines of old that differ or are missing. */
  wrong: number;
  /** File lines between the first and the last match that old does not quote. */
  unquoted: number;
  /** Similar lines whose wording differs. */
  reworded: number;
  similarCharacters: number;
  allCharacters: number;
}

/**
 * Returns the level that accepts an alignment, or undefined. block_anchor: at least three lines, first and last equal, 60 % of
 * the middle similar. context_aware: first and last similar, half of all lines equal, three quarters or all but one similar.
 * Both reject stale lines and more than a few different, missing or unquoted lines.
 */
export function acceptedLevel(lines: readonly LineMatch[], lengths: readonly number[]): 'block_anchor' | 'context_aware' | undefined {
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const counts = countLines(lines, lengths);
  if (!isAcceptedEdge(first, counts) || !isAcceptedEdge(last, counts) || lines.some(line => line.kind === 'stale')) return undefined;
  const middle = lines.slice(1, -1);
  const anchored = first.kind === 'equal' && last.kind === 'equal' && middle.length > 0;
  const isBlockAnchor = anchored && middle.filter(isSimilar).length >= MIN_SIMILAR_MIDDLE * middle.length;
  if (!hasFewWrongLines(counts, isBlockAnchor ? Math.floor((1 - MIN_SIMILAR_MIDDLE) * middle.length) : 0)) return undefined;
  if (isBlockAnchor) return 'block_anchor';
  if (lines.length <= 2) return counts.wrong === 0 && counts.unquoted <= 1 ? 'context_aware' : undefined;
  const enough = counts.similar >= MIN_SIMILAR_LINES * lines.length || counts.wrong === 1;
  return (counts.equal >= MIN_EQUAL_LINES * lines.length && enough) || isSameText(lines, counts) ? 'context_aware' : undefined;
}

function hasFewWrongLines({ total: lines, wrong, reworded, unquoted, ...characters }: LineCounts, allowedWrong: number): boolean {
  if (unquoted > Math.max(2, MAX_UNQUOTED * lines)) return false;
  const inexact = wrong + reworded;
  if (inexact === 0) return true;
  if (wrong > 0 && characters.similarCharacters < MIN_SIMILAR_CHARACTERS) return false;
  if (wrong > 1 && characters.similarCharacters < MIN_SIMILAR_SHARE * characters.allCharacters) return false;
  const allowed = Math.max(1, Math.floor(MAX_WRONG_LINES * lines), allowedWrong);
  return wrong > 0 ? inexact + unquoted <= allowed : inexact <= allowed;
}

/** Returns true for a similar line. A first or last line may also be another comment if everything else is as quoted. */
function isAcceptedEdge(line: LineMatch, counts: LineCounts): boolean {
  return isSimilar(line) || (line.inComment === true && counts.wrong === 1 && counts.unquoted === 0 && counts.total > 2);
}

/** Returns true when every line is present with at most typos and style differences. */
function isSameText(lines: readonly LineMatch[], { wrong, unquoted }: LineCounts): boolean {
  return wrong === 0 && unquoted === 0 && lines.every(line => line.kind !== 'reworded');
}

function countLines(lines: readonly LineMatch[], lengths: readonly number[]): LineCounts {
  const similar = lines.filter(isSimilar).length;
  const last = lines.findLast(line => line.fileLine >= 0)?.fileLine ?? -1;
  return {
    total: lines.length,
    equal: lines.filter(line => line.kind === 'equal').length,
    similar,
    wrong: lines.length - similar,
    unquoted: last + 1 - lines.filter(line => line.fileLine >= 0).length,
    reworded: lines.filter(line => line.kind === 'reworded').length,
    allCharacters: lengths.reduce((sum, length) => sum + length, 0),
    similarCharacters: lines.reduce((sum, line, i) => sum + (isSimilar(line) ? lengths[i]! : 0), 0),
  };
}

/** Returns true when `other` has a wrong line where `best` has a similar one, and never the reverse. */
export function isDominated(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  const nowhereBetter = best.every((line, i) => isSimilar(line) || !isSimilar(other[i]!));
  return nowhereBetter && best.some((line, i) => isSimilar(line) && !isSimilar(other[i]!));
}

/** Returns true when `other` has a similar line where `best` has a wrong one, and at least as many similar lines overall. */
export function isPlausibleAlternative(best: readonly LineMatch[], other: readonly LineMatch[]): boolean {
  if (!best.some((line, i) => !isSimilar(line) && isSimilar(other[i]!))) return false;
  return other.filter(isSimilar).length >= best.filter(isSimilar).length;
}

/** Returns true when both alignments use the same file lines. */
export function sameTarget(a: LineAlignment, b: LineAlignment): boolean {
  return a.targets.every((target, i) => target === b.targets[i]);
}

function isSimilar(line: LineMatch): boolean {
  return SIMILAR_KINDS.has(line.kind);
}
