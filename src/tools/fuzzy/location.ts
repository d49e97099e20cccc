import type { PatchStrategy } from '../../port/patch_engine';
import type { TokenText } from './tokens';

/** A place in the file that matches old_string, with the token alignment between the two. */
export interface Location {
  strategy: PatchStrategy;
  /** [start, end) in the original content. */
  start: number;
  end: number;
  old: TokenText;
  file: TokenText;
  /** File token index of each token of old, or -1. The indexes that are not -1 increase strictly. */
  oldToFile: Int32Array;
  /** Every line that begins in both texts has the same indentation. */
  sameIndentation: boolean;
  /** Backslash escapes counted as white space in the comparison. */
  escapesAreSpace?: boolean;
  /** The match of each line of old. Set by levels 8 and 9 only. */
  lines?: LineMatch[];
  /** Alignment score, 0 to 1. Set by levels 8 and 9 only. */
  score?: number;
}

/**
 * The kinds of match between a line of old and a line of the file:
 * - equal: the same tokens
 * - typo: the same but for typos
 * - restyled: other quotes, a semicolon or comma at the end, or letter case in a comment
 * - reworded: a comment with other words
 * - stale: other values, so the quotation is out of date or from another place
 * - different: anything else
 * - missing: the file has no such line here
 * - elided: a marker such as `...` that stands for omitted lines
 * - ambiguous: the line stands in several places
 */
export type LineMatchKind = 'equal' | 'typo' | 'restyled' | 'reworded' | 'stale' | 'different' | 'missing' | 'elided' | 'ambiguous';

/** The kinds that a comparison of two lines can return. */
export type ComparedLineKind = Exclude<LineMatchKind, 'stale' | 'missing' | 'elided' | 'ambiguous'>;

/** The match of one line of old. */
export interface LineMatch {
  kind: LineMatchKind;
  /** Index into Location.file.lines, or -1. */
  fileLine: number;
  /** Set on a different line when both texts are comments. */
  inComment?: boolean;
}

/** Levels that ignore white space only. If several places match, the one with identical indentation wins. */
export const WHITE_SPACE_LEVELS: ReadonlySet<PatchStrategy> = new Set([
  'line_trimmed',
  'whitespace_normalized',
  'indent_flexible',
  'trimmed_boundary',
]);
