/**
 * Takes thoughts out of the text of an answer: `<think>` and its like at the start of the answer, or after a call. A tag further inside the text is
 * part of it. Decision 0085 has the reasons.
 */
import { THOUGHT_TAGS } from '../../utils/thought_tags';
import { findLoneEnd } from './lone_thought_end';

/** The facts that earlier answers of a model have shown. */
export interface ThoughtHabit {
  /** The prompt opens the thoughts, so that answers have the end tag alone. */
  opensInPrompt: boolean;
}

export interface ThoughtSink {
  onText(text: string): void;
  onThought(text: string): void;
}

/** Longer white space, and a longer tag, are text. */
const MAX_HELD = 256;
const NAMES = THOUGHT_TAGS.join('|');
const START = new RegExp(`^<(${NAMES})\\s*>`, 'i');
const END = new RegExp(`</(${NAMES})\\s*>`, 'gi');
const TAG_PIECE = /^<(\/?)([a-z]*)(\s*)$/i;

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
    if (this.state === 'text') this.state = 'start';
  }

  /** Ends the answer. `isAnswer`: it has no call and no limit cut it, so an open thought alone is the answer. */
  end(isAnswer: boolean): void {
    const { held, state } = this;
    this.held = '';
    if (state === 'inside') this.addThought(held);
    else if (held.trim() !== '' || !this.hasThought) this.sink.onText(held);
    if (this.state !== 'inside') return;
    // A limit may have cut the thoughts before their end tag.
    if (!isAnswer) return;
    if (this.tag === '') this.habit.opensInPrompt = false;
    if (this.tag === '' || !this.hasThought) this.sink.onText(this.thought);
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
    if (!this.hasThought && this.habit.opensInPrompt) return this.open('', text, 0);
    const lone = this.hasThought ? undefined : findLoneEnd(text, false);
    if (lone) {
      this.habit.opensInPrompt = true;
      this.open('', text, 0);
      return this.close(text, lone.start, lone.end);
    }
    this.state = 'text';
    if (!this.hasThought) return text;
    this.all += text.slice(0, text.length - visible.length);
    return visible;
  }

  private readInside(text: string): string {
    END.lastIndex = 0;
    for (let found = END.exec(text); found; found = END.exec(text)) {
      const isEnd = this.tag === '' || found[1]?.toLowerCase() === this.tag;
      if (isEnd) return this.close(text, found.index, END.lastIndex);
    }
    const last = text.lastIndexOf('<');
    const isCut = last >= 0 && text.length - last < MAX_HELD && mayBecomeTag(text.slice(last), '/');
    this.held = isCut ? text.slice(last) : '';
    this.addThought(isCut ? text.slice(0, last) : text);
    return '';
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
  const [, found, name = '', spaces] = TAG_PIECE.exec(text) ?? [];
  if (found === undefined || (found !== slash && text !== '<')) return false;
  const tag = name.toLowerCase();
  return THOUGHT_TAGS.some(known => (spaces ? known === tag : known.startsWith(tag)));
}
