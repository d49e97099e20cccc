/**
 * Knows where in an answer a position stands: in a code block, in inline code, in a quotation, in thoughts, or in plain text. Reads the answer once,
 * in pieces of any size; the result does not depend on how it is cut. O(n).
 */
import { THOUGHT_ENDS, THOUGHT_TAGS } from '../../utils/thought_tags';

/** Elements whose content the model does not say as its own words. `line`: a missing end counts as the end of the line. `rest`: up to the end of the answer. */
const ELEMENTS: Readonly<Record<string, 'closed' | 'line' | 'rest'>> = {
  ...Object.fromEntries(THOUGHT_TAGS.map(name => [name, 'closed' as const])),
  pre: 'closed',
  blockquote: 'closed',
  example: 'closed',
  code: 'line',
  samp: 'line',
  // The model imagines the result of a call, and the rest of the answer builds on that result.
  tool_response: 'rest',
  tool_result: 'rest',
  function_results: 'rest',
  function_response: 'rest',
  '|tool_response|': 'rest',
  '｜tool▁outputs▁begin｜': 'rest',
};

const CLOSING_QUOTE: Readonly<Record<string, string>> = { '“': '”', '「': '」', '『': '』', '«': '»', '"': '"' };
/** Characters that can change the position in the middle of a line. */
const SPECIAL = /[\n`~<"“”「」『』«»]/g;
const WORD = /[\p{L}\p{N}]/u;
const TAG_CHARACTER = /[\w/|｜▁]/;
const MAX_TAG_UNITS = 24;
/** Indentation that makes a line code in Markdown. */
const CODE_INDENT = 4;

export class TextPosition {
  /** The character of the fence that opened the code block ('' outside of a code block), and the length of the fence. */
  private fence = '';
  private fenceLength = 0;
  private isFenceLine = false;
  private isFenceEnd = false;
  /** Length of the run of backticks that opened inline code on this line. */
  private inlineCode = 0;
  /** The character that closes the quotation. */
  private quote = '';
  private element = '';
  private tag = '';
  /** The character of a run of equal marks that has not ended yet, and the length of the run. */
  private run = '';
  private runLength = 0;
  private isRunFirst = false;
  private isLineBlank = true;
  private indent = 0;
  private isQuoteLine = false;
  private previous = '\n';

  /** Reads `text` from `from` to `to`. */
  read(text: string, from = 0, to = text.length): void {
    const piece = text.slice(from, to);
    for (let i = this.skipWords(piece, 0); i < piece.length; i = this.skipWords(piece, i + 1)) this.readCharacter(piece.charAt(i));
  }

  /** Reads up to the end of the code block; returns the index behind the line that closes it, or the length of the text. */
  readCodeBlock(text: string, from: number): number {
    let i = from;
    while (this.fence !== '') {
      i = this.skipWords(text, i);
      if (i >= text.length) return i;
      this.readCharacter(text.charAt(i));
      i += 1;
    }
    return i;
  }

  get isInCodeBlock(): boolean {
    return this.fence !== '';
  }

  /** True in a code block whose last read line may close it. */
  get mayEndCodeBlock(): boolean {
    return this.run !== '' || this.isFenceEnd;
  }

  /** Only white space stands before this position on its line. */
  get isLineStart(): boolean {
    return this.isLineBlank && this.run === '' && !this.isQuoteLine;
  }

  /** Returns true when the model says what comes next in its own words. `next`: the character at this position. */
  isPlain(next: string): boolean {
    if (this.run !== '') {
      if (next === this.run) return false;
      this.endRun();
    }
    const isIndented = this.isLineBlank && this.indent >= CODE_INDENT;
    return this.fence === '' && this.inlineCode === 0 && this.quote === '' && this.element === '' && !this.isQuoteLine && !isIndented;
  }

  /** Continues behind a call that was cut out of the text. */
  skipCall(isLineStart: boolean): void {
    this.isLineBlank = isLineStart;
    this.indent = 0;
    this.previous = isLineStart ? '\n' : ' ';
  }

  /** Returns the next index with a character that can change anything; in the middle of a line most cannot. */
  private skipWords(text: string, at: number): number {
    if (this.isLineBlank || this.isFenceEnd || this.run !== '' || this.tag !== '' || at >= text.length) return at;
    SPECIAL.lastIndex = at;
    const next = SPECIAL.test(text) ? SPECIAL.lastIndex - 1 : text.length;
    if (next > at) this.previous = text.charAt(next - 1);
    return next;
  }

  private readCharacter(character: string): void {
    if (this.run !== '' && character !== this.run) this.endRun();
    if (character === '\n') this.endLine();
    else if (this.element !== '') this.readTag(character);
    else if (character === '`' || character === '~') this.readMark(character);
    else if (this.fence !== '') this.readInBlock(character);
    else this.readInText(character);
    this.previous = character;
  }

  private readMark(mark: string): void {
    this.tag = '';
    if (this.isFenceLine && mark === '`' && this.fence === '`') {
      // The first line of a block has no further backticks: this is inline code.
      this.inlineCode = this.fenceLength;
      this.fence = '';
      this.isFenceLine = false;
    }
    if (this.run === '') this.isRunFirst = this.isLineBlank;
    this.run = mark;
    this.runLength += 1;
    this.isLineBlank = false;
  }

  private endRun(): void {
    const { run, runLength } = this;
    this.run = '';
    this.runLength = 0;
    if (this.fence !== '') {
      if (this.isRunFirst && run === this.fence && runLength >= this.fenceLength) this.isFenceEnd = true;
      return;
    }
    if (this.isRunFirst && runLength >= 3 && !this.isQuoteLine) {
      this.fence = run;
      this.fenceLength = runLength;
      this.isFenceLine = true;
    } else if (run === '`') {
      if (this.inlineCode === 0) this.inlineCode = runLength;
      else if (this.inlineCode === runLength) this.inlineCode = 0;
    }
  }

  private readInBlock(character: string): void {
    if (isSpace(character)) return;
    this.isFenceEnd = false;
    this.isLineBlank = false;
  }

  private readInText(character: string): void {
    if (isSpace(character)) {
      if (this.isLineBlank) this.indent += character === '\t' ? CODE_INDENT : 1;
      this.readTag(character);
      return;
    }
    if (this.isLineBlank && character === '>') this.isQuoteLine = true;
    this.isLineBlank = false;
    if (this.inlineCode > 0) return;
    if (character === this.quote) this.quote = '';
    else if (this.quote === '' && !(character === '"' && WORD.test(this.previous))) this.quote = CLOSING_QUOTE[character] ?? '';
    this.readTag(character);
  }

  private readTag(character: string): void {
    if (character === '<') this.tag = '<';
    else if (this.tag === '') return;
    else if (character === '>' || isSpace(character)) this.endTag(character === '>');
    else if (this.tag.length < MAX_TAG_UNITS && TAG_CHARACTER.test(character)) this.tag += character;
    else this.tag = '';
  }

  private endTag(isWhole: boolean): void {
    const name = this.tag.slice(1).toLowerCase();
    this.tag = '';
    if (this.element === '') {
      if (Object.hasOwn(ELEMENTS, name)) this.element = name;
      else if (isWhole && THOUGHT_ENDS.includes(`<${name}>`)) this.quote = '';
    } else if (name === `/${this.element}` && ELEMENTS[this.element] !== 'rest') this.element = '';
  }

  private endLine(): void {
    if (this.isFenceEnd) this.fence = '';
    // A quotation ends with its paragraph.
    if (this.isLineBlank && this.fence === '') this.quote = '';
    if (this.element !== '' && ELEMENTS[this.element] === 'line') this.element = '';
    this.tag = '';
    this.isFenceLine = false;
    this.isFenceEnd = false;
    this.inlineCode = 0;
    this.isLineBlank = true;
    this.indent = 0;
    this.isQuoteLine = false;
  }
}

const isSpace = (character: string): boolean => character === ' ' || character === '\t' || character === '\r';
