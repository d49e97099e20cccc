import type { PatchOutcome, PatchRequest } from '../port/patch_engine';
import { applyPatch } from './fuzzy_match';
import { shortDiff } from './short_diff';
import { decodeText, encodeText, encodingName } from './text_codec';

/**
 * Decodes a file, patches its text and encodes it again in the same encoding. Pure, so that it can run in any thread. Never throws.
 * A file of several MiB may take a second.
 */
export function patchBytes(bytes: Uint8Array, { path, oldString, newString, replaceAll, locale }: PatchRequest): PatchOutcome {
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (decoded.kind !== 'text') return { kind: 'not_text', decoded };
  if (!decoded.lossless) return { kind: 'damaged' };
  const result = applyPatch(decoded.text, oldString, newString, { replaceAll });
  if (!result.ok) return { kind: 'refused', refusal: result };
  const encoded = encodeText(result.content, decoded.format);
  if (!encoded.ok) return { kind: 'unencodable', encoding: encodingName(decoded.format), character: encoded.character };
  const { strategy, count, warnings = [], warningsZh = warnings } = result;
  const { text: diff, ...compared } = shortDiff(path, decoded.text, result.content, locale);
  return { kind: 'patched', bytes: encoded.bytes, strategy, count, warnings, warningsZh, diff, ...compared };
}
