/** Detects GB18030, Shift_JIS and other East Asian encodings from before Unicode, by the bytes beyond ASCII alone. */
import { analyse } from 'chardet';
import { decode } from 'iconv-lite';

export type LegacyEncoding = 'gb18030' | 'shift_jis';

export type EncodingGuess =
  | { kind: 'supported'; encoding: LegacyEncoding }
  /** The text is more likely in an encoding that is not supported here. */
  | { kind: 'other'; name: string }
  | { kind: 'unknown' };

const SUPPORTED: Record<string, LegacyEncoding> = { GB18030: 'gb18030', Shift_JIS: 'shift_jis' };
const MULTI_BYTE = ['GB18030', 'Shift_JIS', 'Big5', 'EUC-JP', 'EUC-KR'];
const MAX_SAMPLE_BYTES = 64 * 1024;
/** The detector counts common characters, so a short text is repeated until it has enough of them. */
const MIN_SAMPLE_BYTES = 512;
/** The detector's confidence for text that is only possible in the encoding. */
const MERELY_POSSIBLE = 10;

/** Guesses the encoding of bytes that are not UTF-8. The caller must verify the guess: decoding and encoding again must give the same bytes. */
export function guessLegacyEncoding(bytes: Buffer): EncodingGuess {
  const sample = beyondAscii(bytes);
  if (sample.length === 0) return { kind: 'unknown' };
  const repeated = Buffer.concat(Array.from({ length: Math.ceil(MIN_SAMPLE_BYTES / sample.length) }, () => sample));
  const best = analyse(repeated).find(match => MULTI_BYTE.includes(match.name));
  if (best && best.confidence > MERELY_POSSIBLE) {
    const encoding = SUPPORTED[best.name];
    return encoding ? { kind: 'supported', encoding } : { kind: 'other', name: best.name };
  }
  const plausible = (['gb18030', 'shift_jis'] as const).find(encoding => isPlausible(sample, encoding));
  return plausible ? { kind: 'supported', encoding: plausible } : { kind: 'unknown' };
}

/** Returns every run of bytes beyond ASCII, with the digits and letters behind it that may belong to its last character. */
function beyondAscii(bytes: Buffer): Buffer {
  const sample = Buffer.allocUnsafe(MAX_SAMPLE_BYTES);
  let length = 0;
  for (let at = 0; at < bytes.length && length < MAX_SAMPLE_BYTES - 2; at += 1) {
    const byte = byteAt(bytes, at);
    const isHigh = byte > 0x7f;
    const follows = at > 0 && byteAt(bytes, at - 1) > 0x7f;
    if (!isHigh && !follows) continue;
    const isHalf = isHigh || isDigit(byte) || byte >= 0x40;
    if (isHalf) sample[length++] = byte;
    // A separator keeps the next run from being read as the second half of a character.
    if (!isHigh && !isDigit(byte)) sample[length++] = 0x20;
  }
  return sample.subarray(0, length);
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const byteAt = (bytes: Buffer, index: number): number => bytes[index] ?? 0;

const GB2312_TEXT = /[\u4e00-\u9fff\u3000-\u303f\uff00-\uff5e]{2,}/g;
const JAPANESE_TEXT = /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u303f\uff00-\uff5e]{2,}/g;

/** Returns whether most characters of the language stand side by side, as in words. Accented letters of a European text stand alone. */
function isPlausible(sample: Buffer, encoding: LegacyEncoding): boolean {
  if (encoding === 'gb18030' && !isGb2312(sample)) return false;
  const text = decode(sample, encoding);
  const words = text.match(encoding === 'gb18030' ? GB2312_TEXT : JAPANESE_TEXT) ?? [];
  const inWords = words.reduce((sum, word) => sum + word.length, 0);
  const beyond = text.replace(/[\0-\x7f]/g, '').length;
  return beyond > 0 && inWords / beyond >= 0.6;
}

/** Returns whether most byte pairs lie in the part of the table that everyday Chinese uses; the rest holds rare characters. */
function isGb2312(sample: Buffer): boolean {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const lead = byteAt(sample, at);
    if (lead <= 0x80) continue;
    at += 1;
    // Four bytes encode the rest of Unicode.
    if (isDigit(byteAt(sample, at))) {
      at += 2;
      continue;
    }
    pairs += 1;
    const isCommonLead = (lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xb0 && lead <= 0xf7);
    if (isCommonLead && byteAt(sample, at) >= 0xa1) common += 1;
  }
  return pairs > 0 && common / pairs >= 0.8;
}
