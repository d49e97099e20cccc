import { toWellFormedJson } from '../../utils/well_formed';

/**
 * Bytes that UTF-8 needs beyond one a character, as a share of the text's length. Below this share, escapes lengthen a text by two fifths at most,
 * usually far less.
 */
const FEW = 0.1;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const NOT_ASCII = /[^\x00-\x7f]/g;

/** Encodes into a buffer of its own: a small slice of Node's shared pool would keep 8 KiB alive as long as its message. */
const encoder = new TextEncoder();

/**
 * Returns the bytes of a JSON text for a request body. A few characters that are not ASCII, such as dashes and arrows, become escapes: one of them
 * makes servers in JavaScript and Python keep the whole body with two bytes a character, which doubles the time to read it. A text with many of
 * them, such as a Chinese one, stays as it is. Halves of characters are replaced: JSON.stringify writes them as escapes, which strict servers refuse.
 */
export function toJsonBytes(written: string): Uint8Array {
  const json = written.includes('\\ud') ? toWellFormedJson(written) : written;
  const extraBytes = Buffer.byteLength(json) - json.length;
  const isEscaped = extraBytes > 0 && extraBytes <= json.length * FEW;
  return encoder.encode(isEscaped ? json.replace(NOT_ASCII, toEscape) : json);
}

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
