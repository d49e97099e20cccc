/** Tells whether an answer has ended, and whether it is whole: decision 0086 has the reasons. */
import { type AnswerEnd, isCutReason, isEnd, toAnswerEnd } from './finish_reasons';

/** The facts about ends that earlier answers of a model have shown. */
export interface EndHabit {
  /** `always`: each whole stream so far ended with `[DONE]`. */
  done: 'unknown' | 'always' | 'sometimes';
  /** The server writes a finish reason into chunks that end nothing. */
  writesEarlyEnds: boolean;
}

export class AnswerEndTracker {
  private finishReason: string | undefined;
  /** No finish reason so far stood beside a part of the answer. */
  private areAlone = true;
  /** Nothing of the answer stood beside the last finish reason, or came behind it; or only the usage came. */
  private isBare = false;
  /** More of the answer came behind a finish reason: this server writes one into chunks that end nothing. */
  private isContradicted = false;
  /** `[DONE]` of a stream, or the end of a document. */
  private doneBy: 'stream' | 'document' | undefined;

  constructor(private readonly habit: EndHabit) {}

  /** A part of the answer has come. */
  noteAddition(): void {
    this.isBare = false;
    if (this.finishReason !== undefined) this.isContradicted = true;
  }

  /** A choice has come. `isAlone`: it added nothing to the answer. */
  noteReason(reason: unknown, isAlone: boolean): void {
    if (!isEnd(reason)) return;
    // A proxy that adds an end of its own does not make a cut answer whole.
    if (isAlone && !this.isContradicted && this.finishReason !== undefined && isCutReason(this.finishReason)) return;
    this.areAlone &&= isAlone;
    this.isBare = isAlone;
    this.finishReason = reason;
  }

  /** The usage has come in a chunk without a choice: servers send it behind the answer. */
  noteUsageAlone(): void {
    if (this.finishReason !== undefined) this.isBare = true;
  }

  noteDone(by: 'stream' | 'document'): void {
    this.doneBy = by;
  }

  /** Remembers what the stream has shown. `isWhole`: the answer was. */
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

  /** No chunk of this server has a finish reason beside a part of the answer, so that the one that came is the end. */
  get isSure(): boolean {
    return this.isDone || (this.finishReason !== undefined && this.areAlone && !this.isContradicted);
  }

  /** A long silence ends the answer: nothing came behind its finish reason. */
  get isEndedBySilence(): boolean {
    return this.isWhole && (this.isDone || !this.isContradicted);
  }

  /** The answer is whole when nothing more comes. An end in every chunk says nothing without `[DONE]`, and neither does one of a server that sends it always. */
  get isWhole(): boolean {
    if (this.isDone) return true;
    if (this.finishReason === undefined) return false;
    if (isCutReason(this.finishReason)) return true;
    const { done, writesEarlyEnds } = this.habit;
    if (this.isBare) return !this.isContradicted || done !== 'always';
    return !this.isContradicted && !writesEarlyEnds && done !== 'always';
  }

  /** `failed` for a word of a failure. Servers mix up `stop` and `tool_calls`. */
  toEnd(hasCalls: boolean): AnswerEnd {
    if (this.finishReason !== undefined && isCutReason(this.finishReason)) return toAnswerEnd(this.finishReason);
    return hasCalls ? 'tool_calls' : 'stop';
  }

  /** The server itself says that the model ended with tool calls. */
  get announcesCalls(): boolean {
    return this.finishReason !== undefined && toAnswerEnd(this.finishReason) === 'tool_calls';
  }
}
