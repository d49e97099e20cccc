/** One patch from bytes to bytes. Pure, so that it can run in any thread. */
import type { PatchRefusal, PatchStrategy } from './fuzzy/types';
import { applyPatch } from './fuzzy_match';
import { shortDiff } from './short_diff';
import { type DecodedText, decodeText, encodeText, encodingName } from './text_codec';

export interface PatchRequest {
  /** Shown in the diff; nothing is read from it. */
  path: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
}

export type PatchOutcome =
  | {
      kind: 'patched';
      /** The whole new file, in the encoding of the old one. */
      bytes: Uint8Array;
      strategy: PatchStrategy;
      count: number;
      warnings: string[];
      /** Unified diff, clipped; empty when it would take too long. */
      diff: string;
      /** First and last changed line, counted from 1 in the new text. */
      lines: [first: number, last: number];
    }
  | { kind: 'refused'; refusal: PatchRefusal }
  | { kind: 'not_text'; decoded: Exclude<DecodedText, { kind: 'text' }> }
  /** Writing the text back would lose bytes that are no valid text. */
  | { kind: 'damaged' }
  /** The file's encoding has no bytes for a character of the result. */
  | { kind: 'unencodable'; encoding: string; character: string };

/** Never throws. For a file of several MiB it may take a second. */
export function patchBytes(bytes: Uint8Array, { path, oldString, newString, replaceAll }: PatchRequest): PatchOutcome {
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (decoded.kind !== 'text') return { kind: 'not_text', decoded };
  if (!decoded.lossless) return { kind: 'damaged' };
  const result = applyPatch(decoded.text, oldString, newString, { replaceAll });
  if (!result.ok) return { kind: 'refused', refusal: result };
  const encoded = encodeText(result.content, decoded.format);
  if (!encoded.ok) return { kind: 'unencodable', encoding: encodingName(decoded.format), character: encoded.character };
  const { strategy, count, warnings = [] } = result;
  const { text: diff, lines } = shortDiff(path, decoded.text, result.content);
  return { kind: 'patched', bytes: encoded.bytes, strategy, count, warnings, diff, lines };
}
