/** Replaces halves of characters (lone surrogates) by U+FFFD: strict parsers refuse a whole request because of one. */

const REPLACEMENT = '\ufffd';
/** An escape of JSON: both halves of a character, one half alone, or any other. */
const ESCAPE = /\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/gs;
const HALF_ESCAPE = /\\u[dD][89a-fA-F]/;
const MAX_DEPTH = 100;

/** Replaces halves in JSON text, those that are written as an escape too. Returns most texts unchanged, after one look. */
export function toWellFormedJson(json: string): string {
  const text = json.isWellFormed() ? json : json.toWellFormed();
  if (!HALF_ESCAPE.test(text)) return text;
  return text.replace(ESCAPE, (found, _whole, half?: string) => (half === undefined ? found : REPLACEMENT));
}

/** Replaces halves in all texts of plain data, its keys too. Returns the same object when there are none; deeper values stay as they are. */
export function toWellFormedValue<T>(value: T): T {
  return isWellFormedValue(value, 0) ? value : (mended(value, 0) as T);
}

function isWellFormedValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (!isPlainData(value, depth)) return true;
  if (Array.isArray(value)) return value.every(item => isWellFormedValue(item, depth + 1));
  for (const key in value) if (!key.isWellFormed() || !isWellFormedValue(value[key], depth + 1)) return false;
  return true;
}

function mended(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (!isPlainData(value, depth)) return value;
  if (Array.isArray(value)) return value.map(item => mended(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), mended(item, depth + 1)]));
}

function isPlainData(value: unknown, depth: number): value is Record<string, unknown> | unknown[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Makes a text that comes in pieces well-formed: a character that was cut between two pieces is joined. */
export class WellFormedPieces {
  /** The first half of a character, at the end of the last piece. */
  private half = '';

  push(piece: string): string {
    if (this.half === '' && piece.isWellFormed()) return piece;
    const text = this.half + piece;
    const last = text.charCodeAt(text.length - 1);
    this.half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
    return (this.half === '' ? text : text.slice(0, -1)).toWellFormed();
  }

  /** Returns the text that was held back, at the end of the text. */
  end(): string {
    const rest = this.half === '' ? '' : REPLACEMENT;
    this.half = '';
    return rest;
  }
}
