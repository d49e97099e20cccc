/**
 * The text of one answer on its way from the model to the person: tool calls in it are held back while it streams, and become proper calls once it
 * is complete. What is shown and what became calls make up the whole text.
 */
import type { IdSource } from '../../port/clock';
import type { LlmAnswer, WireToolCall } from '../../port/llm';
import { readCodeWish } from './asked_for_code';
import { CallFilter } from './call_filter';
import type { HeadKind } from './call_heads';
import type { CallProblem } from './call_note';
import { findCalls } from './find_calls';
import { type CallSources, judgeSpan, lastRequest, toToolName, type ValidCall, type Verdict } from './judge_calls';

export interface FinishedAnswer {
  /** The answer with its recovered calls, and with the text that was shown. */
  answer: LlmAnswer;
  /** The text that was held back and is shown now. */
  rest: string;
  /** The first part of the answer that looks like a call and did not become one. */
  problem?: CallProblem;
}

/** The calls of one answer; a server's own calls have the same limit. */
const MAX_CALLS = 32;
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

  /** Ends an answer that broke off. Returns text that was held back and had not begun a call. */
  release(): string {
    return this.filter.release();
  }

  /** Ends the answer. An answer with calls of its own, and one that a limit cut, keeps its text as it is. */
  finish(answer: LlmAnswer): FinishedAnswer {
    const text = answer.message.content ?? '';
    const { shownUnits } = this.filter;
    const whole = { answer, rest: text.slice(shownUnits) };
    if (answer.message.tool_calls?.length || answer.finishReason === 'length' || answer.finishReason === 'content_filter') return whole;
    if (!this.filter.hasSeenCall && !endsLikeBlock(text) && whole.rest === '') return whole;
    const spans = findCalls(text, this.isKnown);
    const verdicts = spans.map(span => ({ span, verdict: judgeSpan(text, span, this.deps) }));
    const recovered = verdicts.flatMap(({ span, verdict }) => (isCalls(verdict) && span.start >= shownUnits ? [{ span, ...verdict }] : []));
    const calls = recovered.flatMap(found => found.calls);
    const problem = calls.length > MAX_CALLS ? ({ kind: 'too_much' } as const) : (problemOf(verdicts) ?? this.unknownBlock(text, spans));
    const told = problem && { problem };
    if (calls.length === 0 || calls.length > MAX_CALLS) return { ...whole, ...told };
    const shown = withoutSpans(
      text,
      shownUnits,
      recovered.map(({ span }) => span),
    );
    return { answer: this.toAnswer(answer, shown, calls), rest: shown.slice(shownUnits), ...told };
  }

  private toAnswer(answer: LlmAnswer, shown: string, calls: readonly ValidCall[]): LlmAnswer {
    const toolCalls = calls.map((call): WireToolCall => ({ id: this.deps.ids.next('call'), type: 'function', function: call }));
    return {
      ...answer,
      finishReason: 'tool_calls',
      message: { role: 'assistant', content: shown === '' ? null : shown, tool_calls: toolCalls },
    };
  }

  /** A code block at the end that names a tool which this run does not have. */
  private unknownBlock(text: string, known: readonly unknown[]): CallProblem | undefined {
    if (known.length > 0 || !endsLikeBlock(text)) return undefined;
    const blocks = findCalls(text, () => true).filter(({ kind, calls }) => kind === 'block' && calls.length > 0);
    return problemOf(blocks.map(span => ({ verdict: judgeSpan(text, span, this.deps) })));
  }

  private readonly isKnown = (name: string): boolean => this.deps.tools.has(toToolName(name));

  private mayRun(kind: HeadKind): boolean {
    if (kind === 'marker' || kind === 'action') return true;
    this.wishesBlocks ??= readCodeWish(lastRequest(this.deps.history)) !== 'none';
    return !this.wishesBlocks;
  }
}

const isCalls = (verdict: Verdict): verdict is { calls: ValidCall[] } => verdict !== 'ordinary' && 'calls' in verdict;

function problemOf(verdicts: readonly { verdict: Verdict }[]): CallProblem | undefined {
  const found = verdicts.find(({ verdict }) => verdict !== 'ordinary' && 'problem' in verdict);
  return found && found.verdict !== 'ordinary' && 'problem' in found.verdict ? found.verdict.problem : undefined;
}

/** Cuts the spans out. White space alone, before the first call and between calls, goes with them. */
function withoutSpans(text: string, shownUnits: number, spans: readonly { start: number; end: number }[]): string {
  let kept = '';
  let end = 0;
  for (const span of spans) {
    kept += text.slice(end, span.start);
    end = span.end;
  }
  kept += text.slice(end);
  return shownUnits === 0 && kept.trim() === '' ? '' : kept;
}

/** The last visible character can end a code block or JSON. */
function endsLikeBlock(text: string): boolean {
  let last = text.length - 1;
  while (last >= 0 && /\s/.test(text.charAt(last))) last--;
  return last >= 0 && BLOCK_END.includes(text.charAt(last));
}
