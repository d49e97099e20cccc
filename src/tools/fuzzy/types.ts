import type { PatchRefusal, PatchStrategy } from '../../port/patch_engine';

/** A place where the search text was found. Offsets are UTF-16 units of the original content; `matchedText` is that slice. */
export interface FuzzyMatch {
  strategy: PatchStrategy;
  startIndex: number;
  endIndex: number;
  matchedText: string;
}

export interface PatchOptions {
  /** Replace every match instead of refusing when there are several. Levels 8 and 9 find nothing in this mode. */
  replaceAll?: boolean;
}

/** The edit was made. */
export interface PatchSuccess {
  ok: true;
  /** The whole new file text. */
  content: string;
  strategy: PatchStrategy;
  /** Number of places that were changed. */
  count: number;
  /** [start, end) offsets into the ORIGINAL content, ordered and disjoint. Everything outside them is byte-identical. */
  spans: [number, number][];
  /** Notes for the caller, such as how the file differed from old_string. */
  warnings?: string[];
  /** The same notes in Chinese. */
  warningsZh?: string[];
}

export type PatchResult = PatchSuccess | PatchRefusal;
