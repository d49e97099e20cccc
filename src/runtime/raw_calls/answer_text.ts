/**
 * Processes the text of one answer on its way from the model to the person. Text that may be a tool call is held back while the answer streams, and
 * becomes a proper call once the answer is complete. Shown text and calls together are the whole text.
 */
import type { IdSource } from '../../port/clock';
import type { LlmAnswer, WireToolCall } from '../../port/llm';
import { readCodeWish } from './asked_for_code';
import { type CallHeads, createCallHeads, HEAD_START, type HeadKind, type IsKnown } from './call_heads';
import type { CallProblem } from './call_note';
import { type CallSources, lastRequest, toToolName } from './call_sources';
import { skipSpaces } from './match_at';
import { type RecoveredCalls, recoverCalls } from './recover_calls';
import { TextPosition } from './text_position';

export interface FinishedAnswer {
  /** The answer with its recovered calls, and with the text that was shown. */
  answer: LlmAnswer;
  /** The text that was held back and is shown now. */
  rest: string;
  /** The first part of the answer that looks like a call and did not become one. */
  problem?: CallProblem;
}

const BLOCK_END = '`}]';

export class AnswerText {
  private readonly filter: CallFilter;
  private wishesBlocks: boolean | undefined;

  constructor(private readonly deps: CallSources & { ids: Pick<IdSource, 'next'> }) {
    this.filter = new CallFilter({ isKnown: this.isKnown, mayRun: kind => this.mayRun(kind) });
  }

  /** Adds a piece of the answer and returns the text to show now; '' for none. */
  push(piece: string): string {
    return this.filter.push(piece);
  }

  /** Ends an answer that broke off. Returns the held-back text, unless a call has begun in it. */
  release(): string {
    return this.filter.release();
  }

  /** Ends the answer. An answer with calls of its own, and one that a limit cut, keeps its text as it is. */
  finish(answer: LlmAnswer): FinishedAnswer {
    const text = answer.message.content ?? '';
    const shownUnits = Math.max(0, this.filter.shownUnits - (answer.shownBefore ?? 0));
    const whole = { answer, rest: text.slice(shownUnits) };
    if (answer.message.tool_calls?.length || answer.finishReason === 'length' || answer.finishReason === 'content_filter') return whole;
    if (!this.filter.hasSeenCall && !endsLikeBlock(text) && whole.rest === '') return whole;
    const found = recoverCalls(text, shownUnits, this.deps);
    const told = found.problem && { problem: found.problem };
    if (found.calls.length === 0) return { ...whole, ...told };
    return { answer: this.toAnswer(answer, found), rest: found.text.slice(shownUnits), ...told };
  }

  private toAnswer(answer: LlmAnswer, { calls, text }: RecoveredCalls): LlmAnswer {
    const toolCalls = calls.map((call): WireToolCall => ({ id: this.deps.ids.next('call'), type: 'function', function: call }));
    return {
      ...answer,
      finishReason: 'tool_calls',
      message: { ...answer.message, content: text === '' ? null : text, tool_calls: toolCalls },
    };
  }

  private readonly isKnown = (name: string): boolean => this.deps.findTool(toToolName(name)) !== undefined;

  private mayRun(kind: HeadKind): boolean {
    if (kind === 'marker' || kind === 'action') return true;
    this.wishesBlocks ??= readCodeWish(lastRequest(this.deps.history)) !== 'none';
    return !this.wishesBlocks;
  }
}

/** The last visible character can end a code block or JSON. */
function endsLikeBlock(text: string): boolean {
  let last = text.length - 1;
  while (last >= 0 && /\s/.test(text.charAt(last))) last--;
  return last >= 0 && BLOCK_END.includes(text.charAt(last));
}

interface CallFilterOptions {
  isKnown: IsKnown;
  /** Returns false for a kind of call that cannot run in this answer; its text passes. */
  mayRun: (kind: HeadKind) => boolean;
}

/** The same characters as HEAD_START, which is a global expression and so keeps a position between searches. */
const MAY_START = /[<[{`✿A]/;
const MAY_END_BLOCK = /[`~\n]/;

/**
 * Holds back the parts of a streaming answer that may turn out to be tool calls. Text without the beginning of a call passes at once; each character
 * is read once, however the answer is cut into pieces.
 */
class CallFilter {
  /** Created for the first character that may start a call; most answers have none. */
  private madeHeads: CallHeads | undefined;
  private readonly position = new TextPosition();
  /** Shown, but not yet read by `position`. */
  private unread = '';
  /** White space at the start of the answer. When a call follows, the white space belongs to the call and is never shown. */
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
