import type { PatchStrategy } from '../../port/patch_engine';
import type { TokenText } from './tokens';

/** A place in the file that the search text stands for, and how their tokens correspond. */
export interface Location {
  strategy: PatchStrategy;
  /** [start, end) in the original content. */
  start: number;
  end: number;
  old: TokenText;
  file: TokenText;
  /** For every token of old its token of the file, or -1. Rises strictly over the tokens that have one. */
  oldToFile: Int32Array;
  /** Every line that begins in both texts has the same indentation. */
  sameIndentation: boolean;
  /** Old and file were compared with backslash escapes as white space. */
  escapesAreSpace?: boolean;
  /** Only for the similarity levels: what became of every line of old. */
  lines?: LineMatch[];
  /** Only for the similarity levels: 0 to 1. */
  score?: number;
}

/**
 * equal: same tokens. close: typos only. restyled: other quotes, a semicolon or comma at the end, letter case in a
 * comment. reworded: a comment in other words. stale: other values. different: all else. missing: no such line.
 * elided: a marker that stands for lines left out. uncertain: one of several equal places.
 */
export type LineMatchKind = 'equal' | 'typo' | 'restyled' | 'reworded' | 'stale' | 'different' | 'missing' | 'elided' | 'ambiguous';

/** Likeness of two lines. */
export type ComparedLineKind = Exclude<LineMatchKind, 'stale' | 'missing' | 'elided' | 'ambiguous'>;

export interface LineMatch {
  kind: LineMatchKind;
  /** Index into the lines of Location.file, or -1. */
  fileLine: number;
  /** Set for a different line: both texts are comments. */
  inComment?: boolean;
}

/** The levels that may differ only in white space; there, identical indentation may single out one of several places. */
export const WHITE_SPACE_LEVELS: ReadonlySet<PatchStrategy> = new Set([
  'line_trimmed',
  'whitespace_normalized',
  'indent_flexible',
  'trimmed_boundary',
]);
