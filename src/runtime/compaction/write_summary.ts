/** Asks the model for the summary of older turns. */
import type { ChatMessage, LlmAnswer } from '../../port/llm';
import type { AgentRunParams } from '../agent_run';
import { BYTES_PER_TOKEN } from '../fit_history';
import { SUMMARY_TEXTS } from '../prompts/summary_texts';
import { announceFallback, noteModel, recordUsage } from '../record_answer';
import type { Compaction } from './compaction_params';
import { renderFacts, writeTranscript } from './transcript';

/** The model answered with something that is no summary. */
export class SummaryFailed extends Error {
  constructor(reason: string) {
    super(`The conversation was not summarised: ${reason}.`);
    this.name = 'SummaryFailed';
  }
}

/** Milliseconds that the model has for the summary. */
const SUMMARY_TIMEOUT_MS = 120_000;
/** Share of the window for the transcript; the rest is for the instructions, the answer and an estimate that is too low. */
const TRANSCRIPT_SHARE = 0.6;
const WORDS_PER_TOKEN = 0.6;
const LEAST_WORDS = 100;
/** Models that think aloud begin their answer with their thoughts. An answer that was cut may hold nothing else. */
const THOUGHTS = /^\s*<think>.*?(?:<\/think>|$)/s;
interface SummaryTask {
  /** The messages to summarise. */
  covered: readonly ChatMessage[];
  maxTokens: number;
}

/**
 * Resolves with the summary, the plan and the files that calls named. Counts the tokens in the usage of the run. Rejects with SummaryFailed, an
 * AppError of the model, or the signal's reason after an abort.
 */
export async function writeSummary(params: AgentRunParams, compaction: Compaction, task: SummaryTask): Promise<string> {
  const answer = await askModel(params, compaction, task);
  noteModel(params, answer);
  recordUsage(params, answer);
  if (answer.finishReason === 'content_filter') throw new SummaryFailed('the content filter of the model stopped it');
  const text = (answer.message.content ?? '').replace(THOUGHTS, '').trim();
  if (text === '') throw new SummaryFailed('the answer was empty');
  const facts = renderFacts(task.covered, params.toolContext.todos.read(), params.locale);
  return facts === '' ? text : `${text}\n\n${facts}`;
}

async function askModel(params: AgentRunParams, { meter }: Compaction, { covered, maxTokens }: SummaryTask): Promise<LlmAnswer> {
  const { llm, model, parameters, locale, clock, signal, opening, summary, limits } = params;
  const texts = SUMMARY_TEXTS[locale];
  const transcript = writeTranscript({
    messages: covered,
    opening,
    earlier: summary?.text,
    locale,
    maxBytes: Math.floor((limits.contextTokens * TRANSCRIPT_SHARE * BYTES_PER_TOKEN) / Math.max(1, meter.scale)),
  });
  const words = Math.max(LEAST_WORDS, Math.floor(maxTokens * WORDS_PER_TOKEN));
  const call = new AbortController();
  const cancelTimer = clock.after(SUMMARY_TIMEOUT_MS, () => call.abort(new SummaryFailed('the model took too long')));
  try {
    return await llm.stream(
      {
        model,
        messages: [
          { role: 'system', content: texts.instructions(words) },
          { role: 'user', content: `${transcript}\n\n${texts.request}` },
        ],
        tools: [],
        thinkingLevel: 'off',
        isSummary: true,
        parameters,
        run: params.observation?.run,
        accepted: params.accepted,
        signal: AbortSignal.any([signal, call.signal]),
      },
      // The text is not shown while it is written: readers get the event of the compaction.
      { onText() {}, onReasoning() {}, onFallback: change => announceFallback(params, change) },
    );
  } finally {
    cancelTimer();
  }
}
