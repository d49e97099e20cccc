import { foldCharacter, marksEnd } from '../characters';

/** A text without white space and typography, with a map back to its source. */
export interface FoldedText {
  text: string;
  /** Source offset of the character that unit `index` of `text` came from; -1 outside. */
  positionOf(index: number): number;
}

const HYPHEN = 45;
const BACKSLASH = '\\';
const ESCAPE_LETTERS = new Set(['n', 't', 'r']);
const CHUNK = 8192;
const MAX_FOLD = 32;

/** Folds a text in linear time. A run of dashes becomes one dash, because models type one long dash as two short ones. */
export function foldText(source: string): FoldedText {
  const bytes = asciiBytes(source);
  return bytes ? foldAscii(bytes) : foldWideText(source);
}

/** Returns one byte per character, or undefined when the text is not ASCII. */
function asciiBytes(source: string): Uint8Array | undefined {
  const bytes = new Uint8Array(source.length);
  // A non-ASCII character takes more bytes than UTF-16 units, so such a text does not fit.
  const { read } = new TextEncoder().encodeInto(source, bytes);
  return read === source.length ? bytes : undefined;
}

/** Folds plain ASCII several times faster than foldWideText. Overwrites `bytes`. */
function foldAscii(bytes: Uint8Array): FoldedText {
  const positions = new Int32Array(bytes.length);
  let count = 0;
  let previous = 0;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i]!;
    if (code === 32 || (code >= 9 && code <= 13) || (code === HYPHEN && previous === HYPHEN)) continue;
    positions[count] = i;
    bytes[count++] = code;
    previous = code;
  }
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, count));
  return { text, positionOf: index => (index >= 0 && index < count ? positions[index]! : -1) };
}

function foldWideText(source: string): FoldedText {
  const foldWide = createWideFold();
  const parts: string[] = [];
  const chunk = new Uint16Array(Math.min(CHUNK, source.length + MAX_FOLD));
  let positions = new Int32Array(source.length + MAX_FOLD);
  let filled = 0;
  let count = 0;
  let previous = 0;
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code < 128) {
      if (code === 32 || (code >= 9 && code <= 13) || (code === HYPHEN && previous === HYPHEN)) continue;
      positions[count++] = i;
      chunk[filled++] = code;
      previous = code;
    } else {
      const point = source.codePointAt(i) ?? code;
      const folded = foldWide(point);
      for (let k = 0; k < folded.length; k++) {
        const unit = folded.charCodeAt(k);
        if (unit === HYPHEN && previous === HYPHEN) continue;
        positions[count++] = i;
        chunk[filled++] = unit;
        previous = unit;
      }
      if (point > 0xffff) i++;
    }
    if (filled > chunk.length - MAX_FOLD) filled = flush(parts, chunk, filled);
    if (count > positions.length - MAX_FOLD) positions = enlarge(positions);
  }
  flush(parts, chunk, filled);
  return { text: parts.join(''), positionOf: index => (index >= 0 && index < count ? positions[index]! : -1) };
}

/** Removes backslashes, and the letter of \\n, \\t and \\r, from a folded text, so that escaped and unescaped text become equal. */
export function dropEscapes(folded: FoldedText): FoldedText {
  const { text, positionOf } = folded;
  const parts: string[] = [];
  /** Each cut: its offset in the remaining text, and the number of units removed up to and including it. */
  const cuts: number[] = [];
  const dropped: number[] = [];
  let kept = 0;
  let from = 0;
  for (let at = text.indexOf(BACKSLASH); at !== -1; at = text.indexOf(BACKSLASH, from)) {
    const letter = ESCAPE_LETTERS.has(text.charAt(at + 1)) && positionOf(at + 1) === positionOf(at) + 1;
    parts.push(text.slice(from, at));
    kept += at - from;
    from = at + (letter ? 2 : 1);
    cuts.push(kept);
    dropped.push(from - kept);
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), positionOf: index => positionOf(index + (dropped[lastAtMost(cuts, index)] ?? 0)) };
}

/** Returns the index of the last number that is at most `limit`, or -1. `numbers` increase. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns where the character at `offset` ends, including its marks and joiners. */
export function characterEnd(source: string, offset: number): number {
  return marksEnd(source, offset + ((source.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1));
}

/** Folds code points beyond ASCII, with a cache. */
function createWideFold(): (point: number) => string {
  const known = new Map<number, string>();
  return point => {
    const remembered = known.get(point);
    if (remembered !== undefined) return remembered;
    const folded = foldCharacter(String.fromCodePoint(point)).slice(0, MAX_FOLD);
    known.set(point, folded);
    return folded;
  };
}

function flush(parts: string[], chunk: Uint16Array, filled: number): 0 {
  parts.push(Reflect.apply(String.fromCharCode, undefined, chunk.subarray(0, filled)));
  return 0;
}

function enlarge(positions: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(positions.length * 2);
  larger.set(positions);
  return larger;
}
