/** Decides whether an answer has ended and whether it is whole. Decision 0086 has the reasons. */
import { type AnswerEnd, isCutReason, isEnd, toAnswerEnd } from './finish_reasons';

/** The facts about ends that earlier answers of a model have shown. */
export interface EndHabit {
  /** Says how reliably streams of this server end with `[DONE]`. `always`: every whole stream so far did. */
  done: 'unknown' | 'always' | 'sometimes';
  /** The server writes a finish reason into chunks that end nothing. */
  writesEarlyEnds: boolean;
}

export class AnswerEndTracker {
  private finishReason: string | undefined;
  /** No finish reason so far stood beside a part of the answer. */
  private areAlone = true;
  /** True when the last finish reason stood alone: no part of the answer came beside or behind it, except the usage. */
  private isBare = false;
  /** True when more of the answer came behind a finish reason: this server also writes one into chunks that end nothing. */
  private isContradicted = false;
  /** `[DONE]` of a stream, or the end of a document. */
  private doneBy: 'stream' | 'document' | undefined;

  constructor(private readonly habit: EndHabit) {}

  /** A part of the answer has come. */
  noteAddition(): void {
    this.isBare = false;
    if (this.finishReason !== undefined) this.isContradicted = true;
  }

  /** Notes a choice that has come. `isAlone`: the choice added nothing to the answer. */
  noteReason(reason: unknown, isAlone: boolean): void {
    if (!isEnd(reason)) return;
    // A proxy that adds an end of its own does not make a cut answer whole.
    if (isAlone && !this.isContradicted && this.finishReason !== undefined && isCutReason(this.finishReason)) return;
    this.areAlone &&= isAlone;
    this.isBare = isAlone;
    this.finishReason = reason;
  }

  /** Notes usage in a chunk without a choice, which servers send behind the answer. */
  noteUsageAlone(): void {
    if (this.finishReason !== undefined) this.isBare = true;
  }

  noteDone(by: 'stream' | 'document'): void {
    this.doneBy = by;
  }

  /** Remembers what the stream has shown about its server. `isWhole`: the answer was whole. */
  learn(isWhole: boolean): void {
    const { habit } = this;
    if (this.isContradicted) habit.writesEarlyEnds = true;
    if (!isWhole || this.doneBy === 'document') return;
    if (this.doneBy === undefined) habit.done = 'sometimes';
    else if (habit.done === 'unknown') habit.done = 'always';
  }

  get reason(): string | undefined {
    return this.finishReason;
  }

  get isDone(): boolean {
    return this.doneBy !== undefined;
  }

  get hasEnded(): boolean {
    return this.isDone || this.finishReason !== undefined;
  }

  /** True when no chunk of this server so far had a finish reason beside a part of the answer, so a finish reason is the end. */
  get isSure(): boolean {
    return this.isDone || (this.finishReason !== undefined && this.areAlone && !this.isContradicted);
  }

  /** A long silence ends the answer: nothing came behind its finish reason. */
  get isEndedBySilence(): boolean {
    return this.isWhole && (this.isDone || !this.isContradicted);
  }

  /**
   * True when the answer is whole if nothing more comes. Where every chunk has a finish reason, only `[DONE]` makes an answer whole; the same holds
   * for servers that always send `[DONE]`.
   */
  get isWhole(): boolean {
    if (this.isDone) return true;
    if (this.finishReason === undefined) return false;
    if (isCutReason(this.finishReason)) return true;
    const { done, writesEarlyEnds } = this.habit;
    if (this.isBare) return !this.isContradicted || done !== 'always';
    return !this.isContradicted && !writesEarlyEnds && done !== 'always';
  }

  /**
   * Returns the end of the answer: `failed` for a word that means a failure. `stop` and `tool_calls` are not told apart, because servers mix them up.
   */
  toEnd(hasCalls: boolean): AnswerEnd {
    if (this.finishReason !== undefined && isCutReason(this.finishReason)) return toAnswerEnd(this.finishReason);
    return hasCalls ? 'tool_calls' : 'stop';
  }

  /** The server itself says that the model ended with tool calls. */
  get announcesCalls(): boolean {
    return this.finishReason !== undefined && toAnswerEnd(this.finishReason) === 'tool_calls';
  }
}
