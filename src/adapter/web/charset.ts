/** Decodes the bytes of a page. A declared encoding is often wrong, so it is used only when the bytes are valid in it. */
import { detect } from 'chardet';

const DECLARATION_BYTES = 4_096;
const SAMPLE_BYTES = 64 * 1024;

/** Decodes a page. `contentType`: the header with its charset parameter, or ''. Never throws; takes linear time. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const marked = byteOrderMark(bytes);
  if (marked) return decodeAs(bytes, marked) ?? '';
  // Valid UTF-8 wins over the declared encoding, because text in another encoding is hardly ever valid UTF-8.
  const utf8 = decodeStrictly(withoutCutCharacter(bytes), 'utf-8');
  if (utf8 !== undefined) return utf8;
  const declared = [charsetOf(contentType), charsetOf(Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1'))];
  for (const label of declared) {
    const text = label && label.toLowerCase() !== 'utf-8' ? decodeAs(bytes, label) : undefined;
    if (text !== undefined && damageOf(text) < 0.01) return text;
  }
  const guess = detect(bytes.subarray(0, SAMPLE_BYTES));
  return (guess && decodeAs(bytes, guess)) ?? decodeAs(bytes, 'utf-8') ?? '';
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

/** Reads the declared encoding from the header, a meta element or an XML declaration. */
function charsetOf(text: string): string | undefined {
  return /(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(text)?.[1];
}

function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Allows an incomplete last character: a page may be cut inside it. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : byte >= 0x80 ? 0 : 1;
    if (length > back) return bytes.subarray(0, bytes.length - back);
    if (length > 0) break;
  }
  return bytes;
}

/** Returns the share of characters that could not be decoded. */
function damageOf(text: string): number {
  let damaged = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) damaged += 1;
  return damaged / Math.max(1, text.length);
}
