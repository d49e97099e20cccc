/** Edits a file's bytes by quoting the text to replace. Large files are patched in worker threads. */
import type { Bilingual } from '../utils/bilingual';
import type { DecodedText } from './decoded_text';

/** The nine matching levels in the order they are tried; the first level with a match decides. */
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

export interface PatchRefusal {
  ok: false;
  code: PatchRefusalCode;
  /** A sentence for the model: what is wrong and what to do next. */
  error: string;
  /** The same sentence in Chinese. */
  errorZh?: string;
  /** Up to three places that come nearest, each a short text with its line number. */
  hints?: string[];
  /** The texts of `hints` in Chinese. */
  hintsZh?: string[];
}

export interface PatchRequest {
  /** Path that the diff shows; the engine reads no file. */
  path: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
  /** Language of the lines that stand for missing parts of the diff. Default: English. */
  locale?: keyof Bilingual;
}

export type PatchOutcome =
  | {
      kind: 'patched';
      /** The whole new file, in the encoding of the old one. */
      bytes: Uint8Array;
      strategy: PatchStrategy;
      /** Number of places that were changed. */
      count: number;
      warnings: string[];
      /** The same warnings in Chinese. */
      warningsZh?: string[];
      /** Unified diff, truncated; empty when computing it would take too long. */
      diff: string;
      /** First and last changed line, counted from 1 in the new text. */
      lines: [first: number, last: number];
      /** Lines that the change adds and removes, when `diff` is truncated; absent when counting them would take too long. */
      added?: number | undefined;
      removed?: number | undefined;
    }
  | { kind: 'refused'; refusal: PatchRefusal }
  | { kind: 'not_text'; decoded: Exclude<DecodedText, { kind: 'text' }> }
  /** The file holds bytes that are not valid text; writing it back would lose them. */
  | { kind: 'damaged' }
  /** The file's encoding has no bytes for a character of the result. */
  | { kind: 'unencodable'; encoding: string; character: string };

/**
 * @example
 * import type { PatchEngine } from './patch_engine';
 *
 * // Refuses every patch, for a workspace that is read-only.
 * export const readOnlyEngine: PatchEngine = {
 *   async patch() {
 *     return { kind: 'refused', refusal: { ok: false, code: 'no_change', error: 'The workspace is read-only.' } };
 *   },
 *   async close() {},
 * };
 */
export interface PatchEngine {
  /** Refuses a patch that exceeds its time or memory limit as `too_large`. Rejects with the signal's reason when it aborts. */
  patch(bytes: Uint8Array, request: PatchRequest, signal: AbortSignal): Promise<PatchOutcome>;
  /** Terminates the running patches and rejects the waiting ones. */
  close(): Promise<void>;
}
