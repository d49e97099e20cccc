/** The nine levels in the order they are tried; the first level that has a match decides. */
export type PatchStrategy =
  | 'exact'
  | 'line_trimmed'
  | 'whitespace_normalized'
  | 'indent_flexible'
  | 'escape_normalized'
  | 'trimmed_boundary'
  | 'unicode_normalized'
  | 'block_anchor'
  | 'context_aware';

/** One place the search text was found. Offsets are UTF-16 units of the original content; `matchedText` is that slice. */
export interface FuzzyMatch {
  strategy: PatchStrategy;
  startIndex: number;
  endIndex: number;
  matchedText: string;
}

export type PatchRefusalCode =
  | 'no_match'
  | 'ambiguous'
  | 'conflict'
  | 'already_applied'
  | 'identical'
  | 'empty_old'
  | 'not_text'
  | 'no_change'
  | 'too_large';

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

export interface PatchRefusal {
  ok: false;
  code: PatchRefusalCode;
  /** A sentence for the model: what is wrong and what to do next. */
  error: string;
  /** Up to three nearest places, each a short text with its line number. */
  hints?: string[];
}

export type PatchResult = PatchSuccess | PatchRefusal;
