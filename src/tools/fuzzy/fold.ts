import { foldCharacter, isMarkAt } from './characters';

/** A text without its white space and typography, with an exact way back. */
export interface FoldedText {
  text: string;
  /** For every unit of `text` the offset in the source where the character it came from begins. */
  positions: Int32Array;
}

export interface FoldOptions {
  /** Also drop backslashes, and the letter of \n, \t and \r, so that escaped and unescaped text fold alike. */
  dropEscapes?: boolean;
}

const HYPHEN = 45;
const BACKSLASH = 92;
const CHUNK = 4096;

/** Linear in the source. Runs of dashes become one dash, because one long dash is often typed as two short ones. */
export function foldText(source: string, options: FoldOptions = {}): FoldedText {
  const folder = new Folder(source.length);
  const cache = new Map<number, string>();
  const dropEscapes = options.dropEscapes === true;
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code < 128) {
      if (code === 32 || (code >= 9 && code <= 13)) continue;
      if (dropEscapes && code === BACKSLASH) {
        i += isEscapeLetter(source.charCodeAt(i + 1)) ? 1 : 0;
        continue;
      }
      folder.push(code, i);
      continue;
    }
    const point = source.codePointAt(i) ?? code;
    let folded = cache.get(point);
    if (folded === undefined) {
      folded = foldCharacter(String.fromCodePoint(point));
      cache.set(point, folded);
    }
    for (let k = 0; k < folded.length; k++) folder.push(folded.charCodeAt(k), i);
    if (point > 0xffff) i++;
  }
  return folder.finish();
}

/** Where the character that begins at `offset` ends, marks and joiners that belong to it included. */
export function characterEnd(source: string, offset: number): number {
  let end = offset + width(source, offset);
  while (end < source.length && isMarkAt(source, end)) end += width(source, end);
  return end;
}

function width(source: string, offset: number): number {
  return (source.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

function isEscapeLetter(code: number): boolean {
  return code === 110 || code === 116 || code === 114;
}

/** Collects folded units in chunks, so that the memory is four bytes a unit plus the text itself. */
class Folder {
  private readonly parts: string[] = [];
  private readonly chunk = new Uint16Array(CHUNK);
  private positions: Int32Array;
  private filled = 0;
  private count = 0;
  private previous = 0;

  constructor(expected: number) {
    this.positions = new Int32Array(expected + 16);
  }

  push(unit: number, position: number): void {
    if (unit === HYPHEN && this.previous === HYPHEN) return;
    this.previous = unit;
    if (this.count === this.positions.length) this.grow();
    this.positions[this.count++] = position;
    this.chunk[this.filled++] = unit;
    if (this.filled === CHUNK) this.flush();
  }

  finish(): FoldedText {
    this.flush();
    return { text: this.parts.join(''), positions: this.positions.subarray(0, this.count) };
  }

  private flush(): void {
    this.parts.push(String.fromCharCode(...this.chunk.subarray(0, this.filled)));
    this.filled = 0;
  }

  private grow(): void {
    const larger = new Int32Array(this.positions.length * 2);
    larger.set(this.positions);
    this.positions = larger;
  }
}
