/**
 * Decodes the bytes of a file to text and encodes text again. The only place that knows encodings: tools get text with a `TextFormat` and pass the
 * same format when they write.
 */
import iconv from 'iconv-lite';
import type { DecodedText, TextFormat } from '../port/decoded_text';
import { createYielder } from '../utils/yield_to_event_loop';
import { guessLegacyEncoding } from './legacy_encoding';

export type EncodedText =
  | { ok: true; bytes: Buffer }
  | { ok: false /** The first character for which the encoding has no bytes. */; character: string };

const SLICE_BYTES = 64 * 1024;
const BOM = '\uFEFF';
const MAX_REPLACED_SHARE = 0.02;
/** Damaged UTF-8 keeps most of its characters beyond ASCII; text in another encoding decodes to hardly any. */
const MIN_WHOLE_PER_REPLACED = 4;

/** Decodes the bytes of a file. Never throws. Takes about 2 ms per MiB of UTF-8 and UTF-16, 30 ms per MiB of older encodings. */
export function decodeText(bytes: Buffer): DecodedText {
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeUtf16(bytes, utf16);
  if (bytes.includes(0)) return { kind: 'binary' };
  const whole = bytes.toString('utf8');
  const bom = whole.startsWith(BOM);
  const text = bom ? whole.slice(1) : whole;
  // A file may hold real U+FFFD characters, so only a round trip tells whether bytes were lost.
  const lossless = !text.includes('\uFFFD') || Buffer.from(whole, 'utf8').equals(bytes);
  const format = { encoding: 'utf-8' as const, bom };
  if (lossless) return { kind: 'text', text, format, lossless };
  const damage = measureDamage(text);
  const legacy = damage.whole < damage.replaced * MIN_WHOLE_PER_REPLACED ? decodeLegacy(bytes) : undefined;
  if (legacy) return legacy;
  return damage.replaced / text.length > MAX_REPLACED_SHARE ? { kind: 'foreign' } : { kind: 'text', text, format, lossless };
}

/** Encodes a text in the format in which it was read. Not ok when the format cannot hold one of its characters. */
export function encodeText(text: string, { encoding, bom }: TextFormat): EncodedText {
  const whole = bom ? BOM + text : text;
  switch (encoding) {
    case 'utf-8':
      return text.isWellFormed() ? { ok: true, bytes: Buffer.from(whole, 'utf8') } : { ok: false, character: 'an unpaired surrogate' };
    case 'utf-16le':
      return { ok: true, bytes: Buffer.from(whole, 'utf16le') };
    case 'utf-16be':
      return { ok: true, bytes: Buffer.from(whole, 'utf16le').swap16() };
    case 'gb18030':
    case 'shift_jis': {
      const bytes = iconv.encode(text, encoding);
      const back = iconv.decode(bytes, encoding);
      return back === text ? { ok: true, bytes } : { ok: false, character: firstDifference(text, back) };
    }
  }
}

/** Encodings that a caller can name. */
export const NAMED_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gb18030',
  'gbk',
  'gb2312',
  'shift_jis',
  'big5',
  'euc-jp',
  'euc-kr',
  'latin1',
] as const;

/**
 * Decodes bytes in the encoding that the caller names, in slices, because decoding can take 30 ms per MiB. Bytes that the encoding does not have
 * become U+FFFD.
 */
export async function decodeNamed(bytes: Buffer, encoding: (typeof NAMED_ENCODINGS)[number]): Promise<string> {
  const decoder = iconv.getDecoder(encoding);
  const yieldWhenDue = createYielder();
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    await yieldWhenDue();
    text += decoder.write(bytes.subarray(at, at + SLICE_BYTES));
  }
  return text + (decoder.end() ?? '');
}

const ENCODING_NAMES: Record<TextFormat['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  gb18030: 'GB18030',
  shift_jis: 'Shift_JIS',
};

/** Returns the usual name of the encoding. */
export const encodingName = ({ encoding }: TextFormat): string => ENCODING_NAMES[encoding];

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function decodeUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  // UTF-16 has two bytes per unit, so an odd length is not text.
  if (bytes.length % 2 !== 0) return { kind: 'foreign', guess: ENCODING_NAMES[encoding] };
  const little = encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16();
  const text = little.toString('utf16le', 2);
  // UTF-32 starts with the same byte order mark, and text never holds NUL.
  return text.includes('\0') ? { kind: 'binary' } : { kind: 'text', text, format: { encoding, bom: true }, lossless: true };
}

function decodeLegacy(bytes: Buffer): DecodedText | undefined {
  const guess = guessLegacyEncoding(bytes);
  if (guess.kind !== 'supported') return guess.kind === 'other' ? { kind: 'foreign', guess: guess.name } : undefined;
  const { encoding } = guess;
  const text = iconv.decode(bytes, encoding);
  const lossless = !text.includes('\uFFFD') && iconv.encode(text, encoding).equals(bytes);
  return lossless ? { kind: 'text', text, format: { encoding, bom: false }, lossless } : undefined;
}

/** Counts the characters beyond ASCII that were decoded, and those that became U+FFFD. */
function measureDamage(text: string): { whole: number; replaced: number } {
  let whole = 0;
  let replaced = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) replaced += 1;
    else if (unit > 0x7f) whole += 1;
  }
  return { whole, replaced };
}

function firstDifference(text: string, back: string): string {
  let at = 0;
  while (text.charCodeAt(at) === back.charCodeAt(at)) at += 1;
  return String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
}
