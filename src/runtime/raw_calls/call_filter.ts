/**
 * Holds back the parts of a streaming answer that may turn out to be tool calls. Text without the beginning of one passes at once; each character
 * is looked at once, however the answer is cut into pieces.
 */
import { type CallHeads, createCallHeads, HEAD_START, type HeadKind, type IsKnown } from './call_heads';
import { skipSpaces } from './match_at';
import { TextPosition } from './text_position';

export interface CallFilterOptions {
  isKnown: IsKnown;
  /** Returns false for a kind of call that cannot run in this answer; its text passes. */
  mayRun: (kind: HeadKind) => boolean;
}

/** The same characters as HEAD_START, without its state. */
const MAY_START = /[<[{`✿A]/;
const MAY_END_BLOCK = /[`~\n]/;

export class CallFilter {
  /** Created for the first character that may start a call; most answers have none. */
  private madeHeads: CallHeads | undefined;
  private readonly position = new TextPosition();
  /** Shown, but not yet read by `position`. */
  private unread = '';
  /** White space at the start of the answer: it belongs to a call that follows. */
  private lead = '';
  /** Text that is held back and that `position` has read: a code block that looks like a call. */
  private block = '';
  /** Text that is held back and that nothing has read yet. */
  private tail = '';
  /** A call has begun: all further text is held back and added to `tail`. */
  private isSealed = false;
  private hasHead = false;
  private shown = 0;

  constructor(private readonly options: CallFilterOptions) {}

  /** The number of UTF-16 units that `push` has returned. */
  get shownUnits(): number {
    return this.shown;
  }

  /** The beginning of a call was seen. */
  get hasSeenCall(): boolean {
    return this.hasHead;
  }

  /** Adds a piece of the answer and returns the text to show now. */
  push(piece: string): string {
    if (this.isSealed) {
      this.tail += piece;
      return '';
    }
    if (this.tail === '' && this.block === '' && this.shown > 0 && !this.mayStart(piece)) {
      this.unread += piece;
      this.shown += piece.length;
      return piece;
    }
    const out = this.show(this.examine(piece));
    this.shown += out.length;
    return out;
  }

  /** Returns the text that is held back, unless a call has begun in it. */
  release(): string {
    return this.isSealed ? '' : this.lead + this.block + this.tail;
  }

  private mayStart(piece: string): boolean {
    const { position } = this;
    return position.isInCodeBlock ? position.mayEndCodeBlock || MAY_END_BLOCK.test(piece) : MAY_START.test(piece);
  }

  private get heads(): CallHeads {
    this.madeHeads ??= createCallHeads(this.options.isKnown);
    return this.madeHeads;
  }

  /** Keeps back white space at the start of the answer. */
  private show(text: string): string {
    if (this.shown > 0) return text;
    this.lead += text;
    if (this.lead.trim() === '') return '';
    const out = this.lead;
    this.lead = '';
    return out;
  }

  private examine(piece: string): string {
    this.position.read(this.unread);
    this.unread = '';
    const text = this.tail + piece;
    this.tail = '';
    return this.block === '' ? this.readText(text) : this.readBlock(text);
  }

  /** Reads text in which no call has begun. Returns the part of it that can be shown. */
  private readText(text: string): string {
    const { position } = this;
    const starts = new RegExp(HEAD_START);
    let read = position.readCodeBlock(text, 0);
    starts.lastIndex = read;
    for (let found = starts.exec(text); found; found = starts.exec(text)) {
      const at = found.index;
      position.read(text, read, at);
      read = position.readCodeBlock(text, at);
      if (read > at) starts.lastIndex = read;
      if (read > at || !position.isPlain(text.charAt(at))) continue;
      const head = this.heads.headAt(text, at, position.isLineStart);
      if (head === 'none' || (head !== 'open' && !this.options.mayRun(head))) continue;
      const rest = text.slice(at);
      if (head === 'open') this.tail = rest;
      else if (head === 'block') return text.slice(0, at) + this.holdBlock(rest);
      else this.seal(rest);
      return text.slice(0, at);
    }
    this.unread = text.slice(read);
    return text;
  }

  private seal(text: string): void {
    this.hasHead = true;
    this.isSealed = true;
    this.tail = text;
  }

  /** Holds back a code block that begins like a call. Returns the part of the text that can be shown. */
  private holdBlock(text: string): string {
    this.hasHead = true;
    // Read the fence line first, so that `position` is inside the code block.
    const lineEnd = text.indexOf('\n') + 1;
    this.position.read(text, 0, lineEnd);
    this.block += text.slice(0, lineEnd);
    return this.readBlock(text.slice(lineEnd));
  }

  /** Continues reading a held-back code block. Other text behind the block shows that it does not end the answer; the block is then shown. */
  private readBlock(text: string): string {
    const { position } = this;
    const end = position.readCodeBlock(text, 0);
    const next = skipSpaces(text, end);
    position.read(text, end, next);
    this.block += text.slice(0, next);
    if (next === text.length) return '';
    const rest = text.slice(next);
    const head = position.isPlain(rest.charAt(0)) ? this.heads.headAt(rest, 0, position.isLineStart) : 'none';
    if (head === 'open') {
      this.tail = rest;
      return '';
    }
    if (head === 'block') return this.holdBlock(rest);
    if (head !== 'none' && this.options.mayRun(head)) {
      this.seal(rest);
      return '';
    }
    const out = this.block;
    this.block = '';
    return out + this.readText(rest);
  }
}
