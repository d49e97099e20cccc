import type { TokenText } from '../tokens';
import { dropEscapes, type FoldedText, foldText } from './fold';
import { foldAroundWord, hidesWords } from './word_windows';

const BOM = 0xfeff;
const RETURN = 13;
const NEWLINE = 10;

/** Views of a file that the levels search. Each view is computed on first use, and its offsets map back to `content`. */
export class FileView {
  /** Offset of the text: 1 after a byte order mark, else 0. No match starts earlier. */
  readonly start: number;
  private lineFeed: LineFeedText | undefined;
  private loose: FoldedText | undefined;
  private escapeless: FoldedText | undefined;
  private hidden: boolean | undefined;

  constructor(readonly content: string) {
    this.start = content.charCodeAt(0) === BOM ? 1 : 0;
  }

  /** The content with CRLF as LF. */
  lineFeedText(): LineFeedText {
    this.lineFeed ??= new LineFeedText(this.content);
    return this.lineFeed;
  }

  /** The content without white space and typography. */
  folded(): FoldedText {
    this.loose ??= foldText(this.content);
    return this.loose;
  }

  /**
   * Returns only the folded parts that can contain `search`, or all of the content when a rare word is lacking. `reach`: folded
   * length of `search`.
   */
  foldedAround(search: TokenText, reach: number): FoldedText {
    this.hidden ??= hidesWords(this.content);
    if (this.loose || this.hidden) return this.folded();
    return foldAroundWord(this.content, search, reach) ?? this.folded();
  }

  /** The content without white space, typography and escapes. */
  foldedWithoutEscapes(): FoldedText {
    this.escapeless ??= dropEscapes(this.folded());
    return this.escapeless;
  }

  /** Returns the last line end within [start, end), else the next one, else the previous one, else LF. */
  lineEndNear(start: number, end: number): string {
    const { content } = this;
    let newline = content.lastIndexOf('\n', end - 1);
    if (end === 0 || newline < start) {
      const after = content.indexOf('\n', end);
      if (after !== -1) newline = after;
    }
    return newline > 0 && content.charCodeAt(newline - 1) === RETURN ? '\r\n' : '\n';
  }

  /** Returns the line number of an offset, counted from 1. */
  lineNumber(offset: number): number {
    let line = 1;
    for (let at = this.content.indexOf('\n'); at !== -1 && at < offset; at = this.content.indexOf('\n', at + 1)) line++;
    return line;
  }

  /** Returns where the run of blanks before `offset` begins. Stops at a line end and at the byte order mark. */
  blanksBefore(offset: number): number {
    let at = offset;
    while (at > this.start && isBlank(this.content.charCodeAt(at - 1))) at--;
    return at;
  }

  /** Returns where the run of blanks after `offset` ends. */
  blanksAfter(offset: number): number {
    let at = offset;
    while (at < this.content.length && isBlank(this.content.charCodeAt(at))) at++;
    return at;
  }

  isLineStart(offset: number): boolean {
    return offset <= this.start || this.content.charCodeAt(offset - 1) === NEWLINE;
  }

  isLineEnd(offset: number): boolean {
    return offset >= this.content.length || this.lineEndLength(offset) > 0;
  }

  /** Returns the length of the line end at `offset`: 2 for CRLF, 1 for LF, 0 for none. */
  lineEndLength(offset: number): number {
    const code = this.content.charCodeAt(offset);
    if (code === NEWLINE) return 1;
    return code === RETURN && this.content.charCodeAt(offset + 1) === NEWLINE ? 2 : 0;
  }

  /** Returns the length of the line end before `offset`. */
  lineEndLengthBefore(offset: number): number {
    if (offset <= this.start || this.content.charCodeAt(offset - 1) !== NEWLINE) return 0;
    return offset - 1 > this.start && this.content.charCodeAt(offset - 2) === RETURN ? 2 : 1;
  }
}

/** Text with CRLF replaced by LF, and a map back to the original offsets. */
class LineFeedText {
  readonly text: string;
  /** Offsets in `text` of the line feeds that lost a carriage return, increasing. */
  private readonly returns: Int32Array;

  constructor(content: string) {
    if (!content.includes('\r\n')) {
      this.text = content;
      this.returns = new Int32Array(0);
      return;
    }
    this.text = content.replaceAll('\r\n', '\n');
    this.returns = new Int32Array(content.length - this.text.length);
    let count = 0;
    for (let at = content.indexOf('\r\n'); at !== -1; at = content.indexOf('\r\n', at + 2)) this.returns[count] = at - count++;
  }

  get hasReturns(): boolean {
    return this.returns.length > 0;
  }

  /** Maps to an offset in the original content. A line feed maps to its carriage return, so that a CRLF is never split. */
  toOriginal(offset: number): number {
    let low = 0;
    let high = this.returns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.returns[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  }
}

/** Replaces CRLF by LF. */
export function toLineFeeds(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

function isBlank(code: number): boolean {
  if (code === 32 || code === 9) return true;
  if (code === NEWLINE || code === RETURN) return false;
  return (
    code === 11 ||
    code === 12 ||
    code === 0xa0 ||
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200b) ||
    code === 0x202f ||
    code === 0x205f
  );
}
