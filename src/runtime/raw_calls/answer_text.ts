/**
 * Processes the text of one answer on its way from the model to the person. Text that may be a tool call is held back while the answer streams, and
 * becomes a proper call once the answer is complete. Shown text and calls together are the whole text.
 */
import type { IdSource } from '../../port/clock';
import type { LlmAnswer, WireToolCall } from '../../port/llm';
import { readCodeWish } from './asked_for_code';
import { CallFilter } from './call_filter';
import type { HeadKind } from './call_heads';
import type { CallProblem } from './call_note';
import { type CallSources, lastRequest, toToolName } from './call_sources';
import { type RecoveredCalls, recoverCalls } from './recover_calls';

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
