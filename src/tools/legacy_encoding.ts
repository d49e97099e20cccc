/** Tells the East Asian encodings from before Unicode apart, by the bytes beyond ASCII alone. */
import { analyse } from 'chardet';
import { decode } from 'iconv-lite';

export type LegacyEncoding = 'gb18030' | 'shift_jis';

export type EncodingGuess =
  | { kind: 'supported'; encoding: LegacyEncoding }
  /** Rather an encoding that is not supported here. */
  | { kind: 'other'; name: string }
  | { kind: 'unknown' };

const SUPPORTED: Record<string, LegacyEncoding> = { GB18030: 'gb18030', Shift_JIS: 'shift_jis' };
const MULTI_BYTE = ['GB18030', 'Shift_JIS', 'Big5', 'EUC-JP', 'EUC-KR'];
const MAX_SAMPLE_BYTES = 64 * 1024;
/** The detector judges by how often common characters occur, so a short text is shown to it several times. */
const MIN_SAMPLE_BYTES = 512;
/** What the detector says of text that is merely possible. */
const MERELY_POSSIBLE = 10;

/** For bytes that are no UTF-8. A guess only: the caller must make sure that decoding and encoding again gives the same bytes. */
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

/** Every run of bytes beyond ASCII, with the digits and letters behind it that may belong to its last character. */
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
    // A run ends where nothing can go on, so that the next cannot be read as its other half.
    if (!isHigh && !isDigit(byte)) sample[length++] = 0x20;
  }
  return sample.subarray(0, length);
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const byteAt = (bytes: Buffer, index: number): number => bytes[index] ?? 0;

const GB2312_TEXT = /[\u4e00-\u9fff\u3000-\u303f\uff00-\uff5e]{2,}/g;
const JAPANESE_TEXT = /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u303f\uff00-\uff5e]{2,}/g;

/** Whether most of it reads as words: characters of the language side by side. Accented letters of a European text stand alone. */
function isPlausible(sample: Buffer, encoding: LegacyEncoding): boolean {
  if (encoding === 'gb18030' && !isGb2312(sample)) return false;
  const text = decode(sample, encoding);
  const words = text.match(encoding === 'gb18030' ? GB2312_TEXT : JAPANESE_TEXT) ?? [];
  const inWords = words.reduce((sum, word) => sum + word.length, 0);
  const beyond = text.replace(/[\0-\x7f]/g, '').length;
  return beyond > 0 && inWords / beyond >= 0.6;
}

/** Whether most pairs lie in the part of the table that everyday Chinese text uses; the rest is rare characters. */
function isGb2312(sample: Buffer): boolean {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const lead = byteAt(sample, at);
    if (lead <= 0x80) continue;
    at += 1;
    // Characters of four bytes are everything else there is in Unicode.
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
