/**
 * Bytes of a file as text, and back. The one place that knows encodings: tools see text and hand the same `TextFormat` back when they write.
 */

export interface TextFormat {
  encoding: 'utf-8';
  /** A byte order mark stood at the start; it is no part of the text and is put back by encodeText. */
  bom: boolean;
}

export type DecodedText =
  | {
      kind: 'text';
      text: string;
      format: TextFormat;
      /** False when some bytes were no valid text and stand as U+FFFD: writing the text back would change them. */
      lossless: boolean;
    }
  | { kind: 'binary' }
  /** Text perhaps, but in an encoding that is not understood. */
  | { kind: 'foreign'; guess?: string };

const UTF8_BOM = '\uFEFF';
const MAX_REPLACED_SHARE = 0.02;

/** Never throws. Linear; a few milliseconds per MiB. */
export function decodeText(bytes: Buffer): DecodedText {
  const utf16 = utf16Mark(bytes);
  if (utf16) return { kind: 'foreign', guess: utf16 };
  if (bytes.includes(0)) return { kind: 'binary' };
  const whole = bytes.toString('utf8');
  const bom = whole.startsWith(UTF8_BOM);
  const text = bom ? whole.slice(1) : whole;
  // A file may hold real U+FFFD characters, so only a round trip tells whether bytes were lost.
  const lossless = !text.includes('\uFFFD') || Buffer.from(whole, 'utf8').equals(bytes);
  if (!lossless && replacedShare(text) > MAX_REPLACED_SHARE) return { kind: 'foreign' };
  return { kind: 'text', text, format: { encoding: 'utf-8', bom }, lossless };
}

/** The bytes of a text in the format it was read in. */
export function encodeText(text: string, format: TextFormat): Buffer {
  return Buffer.from(format.bom ? UTF8_BOM + text : text, 'utf8');
}

function utf16Mark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'UTF-16BE';
  return undefined;
}

function replacedShare(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) count += 1;
  return count / text.length;
}
