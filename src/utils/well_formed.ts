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
export function toWellFormedValue<T>(value: T, depth = 0): T {
  if (typeof value === 'string') return (value.isWellFormed() ? value : value.toWellFormed()) as T;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(item => toWellFormedValue<unknown>(item, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : (items as T);
  }
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return value;
  const entries: Array<[string, unknown]> = Object.entries(value);
  const items = entries.map(([, item]) => toWellFormedValue(item, depth + 1));
  if (entries.every(([key, item], i) => items[i] === item && key.isWellFormed())) return value;
  return Object.fromEntries(entries.map(([key], i) => [key.toWellFormed(), items[i]])) as T;
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

  /** Returns what is left when the text has ended. */
  end(): string {
    const rest = this.half === '' ? '' : REPLACEMENT;
    this.half = '';
    return rest;
  }
}
