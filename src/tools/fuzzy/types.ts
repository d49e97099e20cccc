import type { PatchRefusal, PatchStrategy } from '../../port/patch_engine';

/** One place the search text was found. Offsets are UTF-16 units of the original content; `matchedText` is that slice. */
export interface FuzzyMatch {
  strategy: PatchStrategy;
  startIndex: number;
  endIndex: number;
  matchedText: string;
}

export interface PatchOptions {
  /** Replace every match instead of refusing when there are several. Honoured by the levels up to unicode_normalized. */
  replaceAll?: boolean;
}

export interface PatchSuccess {
  ok: true;
  /** The whole new file text. */
  content: string;
  strategy: PatchStrategy;
  /** How many places were written. */
  count: number;
  /** [start, end) offsets into the ORIGINAL content; ordered, disjoint; everything outside them is byte-identical. */
  spans: [number, number][];
  /** What the caller should know although the edit was made, such as how the file differed from old_string. */
  warnings?: string[];
}

export type PatchResult = PatchSuccess | PatchRefusal;
