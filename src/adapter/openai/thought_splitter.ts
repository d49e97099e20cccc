/**
 * Takes thoughts out of the text of an answer: `<think>` and its like at the start of the answer, or after a call. A tag further inside the text is
 * part of it. Decisions 0085 and 0096 have the reasons.
 */
import { THOUGHT_TAGS } from '../../utils/thought_tags';
import { findLoneEnd, readLoneEnd } from './lone_thought_end';

/** The facts that earlier answers of a model have shown. */
export interface ThoughtHabit {
  /** Counts the last answers in a row that had an end tag alone, because the prompt had opened the thoughts. */
  loneEnds: number;
}

/** One answer with an end tag alone may talk about tags. */
const LEAST_LONE_ENDS = 2;

export interface ThoughtSink {
  onText(text: string): void;
  onThought(text: string): void;
}

/** The most held-back characters; longer white space, and a longer tag, are text. */
const MAX_HELD = 256;
const NAMES = THOUGHT_TAGS.join('|');
/** Some models write attributes, such as the time that they thought. */
const START = new RegExp(`^<(${NAMES})(?:\\s+[\\w:-]+\\s*=[^<>]*|\\s*)>`, 'i');
const END = new RegExp(`</(${NAMES})\\s*>`, 'gi');
const TAG_PIECE = /^<(\/?)([a-z]*)(\s[^<>]*)?$/i;

export class ThoughtSplitter {
  private state: 'start' | 'inside' | 'text' = 'start';
  /** Text whose meaning the next piece decides. */
  private held = '';
  /** The name of the open tag; '' when the habit of the model opened the thought. */
  private tag = '';
  /** The open thought. */
  private thought = '';
  private all = '';
  private hasThought = false;
  /** No text has come since the end of a thought. */
  private isBehindThought = false;
  private isBeforeCalls = true;
  /** The thoughts of the answer had an end tag alone. */
  hasLoneEnd = false;

  constructor(
    private readonly sink: ThoughtSink,
    private readonly habit: ThoughtHabit,
  ) {}

  /** The beginning of the answer with its thoughts and their tags, as the model wrote it; '' without thoughts. */
  get textBefore(): string {
    return this.hasThought ? this.all : '';
  }

  push(piece: string): void {
    if (this.state === 'text') {
      this.sink.onText(piece);
      return;
    }
    let text = this.held + piece;
    this.held = '';
    while (text !== '') text = this.read(text);
  }

  /** A call has come: a tag may open thoughts again. */
  restart(): void {
    this.isBeforeCalls = false;
    if (this.state === 'inside' && this.tag === '') this.endHabitual();
    if (this.state === 'text') this.state = 'start';
  }

  /** Ends the answer. `isAnswer`: it has no call and no limit cut it, so an open thought alone is the answer. */
  end(isAnswer: boolean): void {
    const { held, state } = this;
    this.held = '';
    if (state === 'inside') this.addThought(held);
    else if (held.trim() !== '' || !this.hasThought) this.sink.onText(held);
    if (this.state !== 'inside') return;
    // The habit decides only how the text is shown while it streams.
    if (this.tag === '') this.toText();
    // A limit may have cut the thoughts before their end tag.
    else if (isAnswer && !this.hasThought) this.sink.onText(this.thought);
  }

  /** Ends thoughts that the habit has opened when a call begins: they were thoughts only if their end tag has come. */
  private endHabitual(): void {
    const { held } = this;
    this.held = '';
    const lone = readLoneEnd(this.thought + held, true);
    if (lone && lone !== 'undecided') this.closeLone(held, lone);
    else {
      this.addThought(held);
      this.toText();
    }
  }

  private read(text: string): string {
    if (this.state === 'start') return this.readStart(text);
    if (this.state === 'inside') return this.readInside(text);
    this.sink.onText(text);
    return '';
  }

  private readStart(text: string): string {
    const visible = text.trimStart();
    const tag = START.exec(visible);
    if (tag) return this.open(tag[1] ?? '', text, text.length - visible.length + tag[0].length);
    if (text.length < MAX_HELD && (visible === '' || mayBecomeTag(visible, ''))) {
      this.held = text;
      return '';
    }
    const mayBeOpen = this.isBeforeCalls && !this.hasThought;
    if (mayBeOpen && this.habit.loneEnds >= LEAST_LONE_ENDS) return this.open('', text, 0);
    const lone = mayBeOpen ? findLoneEnd(text, false) : undefined;
    if (lone) {
      this.open('', text, 0);
      return this.closeLone(text, lone);
    }
    this.state = 'text';
    if (!this.isBehindThought) return text;
    this.isBehindThought = false;
    this.all += text.slice(0, text.length - visible.length);
    return visible;
  }

  private readInside(text: string): string {
    if (this.tag === '') {
      const rest = this.readLone(text);
      if (rest !== undefined) return rest;
    }
    END.lastIndex = 0;
    for (let found = END.exec(text); found; found = END.exec(text)) {
      if (found[1]?.toLowerCase() === this.tag) return this.close(text, found.index, END.lastIndex);
    }
    const last = text.lastIndexOf('<');
    const isCut = last >= 0 && text.length - last < MAX_HELD && mayBecomeTag(text.slice(last), '/');
    this.held = isCut ? text.slice(last) : '';
    this.addThought(isCut ? text.slice(0, last) : text);
    return '';
  }

  /** Reads an end tag in thoughts that the habit has opened. Returns undefined when there is none. */
  private readLone(text: string): string | undefined {
    const tag = text.search(END);
    if (tag < 0) return undefined;
    const lone = readLoneEnd(this.thought + text);
    if (lone === 'undecided') {
      this.addThought(text.slice(0, tag));
      this.held = text.slice(tag);
      return '';
    }
    if (lone) return this.closeLone(text, lone);
    // The answer talks about the tag.
    this.toText();
    return text;
  }

  /** `place`: in the thought with `text` behind it. */
  private closeLone(text: string, place: { start: number; end: number }): string {
    const known = this.thought.length;
    this.hasLoneEnd = true;
    return this.close(text, Math.max(0, place.start - known), Math.max(0, place.end - known));
  }

  /** The open thought was text. */
  private toText(): void {
    const { thought } = this;
    this.state = 'text';
    this.all = '';
    this.thought = '';
    this.sink.onText(thought);
  }

  private open(tag: string, text: string, end: number): string {
    this.state = 'inside';
    this.tag = tag.toLowerCase();
    this.thought = '';
    this.all += text.slice(0, end);
    return text.slice(end);
  }

  /** White space behind the thought belongs to the tag. */
  private close(text: string, start: number, end: number): string {
    this.addThought(text.slice(0, start));
    this.all += text.slice(start, end);
    this.hasThought = true;
    this.isBehindThought = true;
    this.state = 'start';
    return text.slice(end);
  }

  private addThought(text: string): void {
    if (text === '') return;
    this.thought += text;
    this.all += text;
    this.sink.onThought(text);
  }
}

/** Returns true when the text is the beginning of a tag of thoughts. `slash`: '/' for an end tag. */
function mayBecomeTag(text: string, slash: '' | '/'): boolean {
  const [, found, name = '', attributes] = TAG_PIECE.exec(text) ?? [];
  if (found === undefined || (found !== slash && text !== '<')) return false;
  const tag = name.toLowerCase();
  return THOUGHT_TAGS.some(known => (attributes === undefined ? known.startsWith(tag) : known === tag));
}
