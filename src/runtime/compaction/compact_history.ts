/** Decides before each model call whether the older turns of a history are replaced by a summary, and replaces them. */
import type { ChatMessage } from '../../port/llm';
import type { AgentRunParams } from '../agent_run';
import { toModelMessages } from '../model_messages';
import type { Compaction, WrittenSummary } from './compaction_params';
import { planCompaction } from './compaction_plan';
import type { MeasuredRequest } from './token_meter';
import { type HistorySummary, messagesAfterSummary, toHistorySummary } from './visible_history';
import { SummaryFailed, writeSummary } from './write_summary';

/** Share of the room (the window without prompt and tools) for the turns that stay. */
const KEEP_SHARE = 0.4;
const SUMMARY_SHARE = 1 / 6;
/** A summary that fills more of the room than this is refused. */
const MAX_SUMMARY_SHARE = 1 / 2;
/** The room is at least this share of the window, however long prompt and tools are. */
const LEAST_ROOM = 1 / 8;
/** A compaction that frees less than this share of the window is not worth a model call. */
const LEAST_GAIN = 1 / 16;
const KEPT_MESSAGES = 1 / 4;
const MAX_SUMMARY_TOKENS = 4_000;

interface Summarised {
  summary: HistorySummary;
  saved: WrittenSummary;
}

interface Task {
  beforeTokens: number;
  /** Tokens that the history may have, after prompt and tools, before it is compacted again. */
  room: number;
}

/** Compacts the history. `request`: the next request as a whole. Rejects as compactWhenNeeded describes. */
async function compactHistory(params: AgentRunParams, compaction: Compaction, request: MeasuredRequest): Promise<void> {
  const { limits, signal, history, summary } = params;
  const maxTokens = compaction.share * limits.contextTokens;
  const { meter } = compaction;
  const isCounted = meter.mayExceed(request, maxTokens);
  const measured = isCounted ? await measure(compaction, request, signal) : meter.estimateTokens(request);
  const beforeTokens = isNear(measured, maxTokens) ? await measureExactly(params, compaction, { request, measured }) : measured;
  if (beforeTokens <= maxTokens && !hasTooManyMessages(params)) return;
  const others = Math.max(0, beforeTokens - meter.tokensOf(history.slice(summary?.upTo ?? 0)));
  const task = { beforeTokens, room: Math.max(maxTokens - others, limits.contextTokens * LEAST_ROOM) };
  const upTo = plan(params, compaction, task);
  if (upTo === undefined) return;
  const { observer, run } = params.observation ?? {};
  const work = observer?.begin('compaction', { run, reason: beforeTokens > maxTokens ? 'tokens' : 'messages' });
  let written: Summarised | undefined;
  try {
    written = await summarise(params, compaction, { ...task, upTo, request, isCounted });
    if (written) await compaction.save(written.saved);
  } finally {
    work?.end({ outcome: written ? 'summarised' : 'failed', beforeTokens, afterTokens: written?.saved.afterTokens });
  }
  if (!written) return;
  params.summary = written.summary;
  // The summary covers the opening message.
  delete params.opening;
}

/** Measures a request in tokens; falls back to the estimate when the tokenizer fails. */
async function measure({ meter, onCountFailed }: Compaction, request: MeasuredRequest, signal: AbortSignal): Promise<number> {
  try {
    return await meter.countTokens(request, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    onCountFailed(thrown);
    return meter.estimateTokens(request);
  }
}

/** A count of the tokenizer may be off by so much that it decides wrongly. */
const isNear = (tokens: number, maxTokens: number): boolean => tokens > maxTokens * 0.8 && tokens < maxTokens * 1.25;

/** Asks the server of the model, where it counts tokens. Later counts of the tokenizer are corrected by the answer. */
async function measureExactly(
  params: AgentRunParams,
  { meter }: Compaction,
  { request, measured }: { request: MeasuredRequest; measured: number },
): Promise<number> {
  const { llm, model, parameters, outputSchema, thinkingLevel, readImage, signal, isGiven, locale } = params;
  const [system, ...head] = request.head ?? [];
  const others = toModelMessages([...head, ...request.messages], isGiven ? undefined : locale);
  const messages = system ? [system, ...others] : others;
  const { tools } = request;
  const tokens = await llm.countTokens?.({ model, messages, tools, thinkingLevel, parameters, outputSchema, readImage, signal });
  if (tokens === undefined) return measured;
  meter.learn(request, tokens);
  return tokens;
}

/** Returns the index up to which messages are replaced; undefined when replacing them would free too little. */
function plan({ history, turnStart, limits, summary }: AgentRunParams, { meter }: Compaction, { room }: Task): number | undefined {
  const from = summary?.upTo ?? 0;
  const tokensOf = (message: ChatMessage) => meter.tokensOf([message]);
  const keep = { tokens: room * KEEP_SHARE, messages: limits.maxContextMessages * KEPT_MESSAGES };
  const upTo = planCompaction({ history, from, turnStart, tokensOf, keep, maxTurnTokens: room * (1 - SUMMARY_SHARE) });
  if (upTo === undefined) return undefined;
  const freed = meter.tokensOf(history.slice(from, upTo));
  const isWorthIt = freed >= limits.contextTokens * LEAST_GAIN || upTo - from >= keep.messages;
  return isWorthIt ? upTo : undefined;
}

/** Asks the model for the summary. Resolves with undefined when that failed; the run then goes on without a summary. */
async function summarise(
  params: AgentRunParams,
  compaction: Compaction,
  { upTo, beforeTokens, room, request, isCounted }: Task & { upTo: number; request: MeasuredRequest; isCounted: boolean },
): Promise<Summarised | undefined> {
  const { history, signal, locale } = params;
  const covered = history.slice(params.summary?.upTo ?? 0, upTo);
  const maxTokens = Math.floor(Math.min(MAX_SUMMARY_TOKENS, room * SUMMARY_SHARE));
  try {
    const text = await writeSummary(params, compaction, { covered, maxTokens });
    const summary = toHistorySummary(text, upTo, locale);
    const shorter = wholeRequest({ ...params, summary }, request.tools.length > 0);
    // Measured in the same way as `beforeTokens`, so that the two can be compared.
    const afterTokens = isCounted ? await measure(compaction, shorter, signal) : compaction.meter.estimateTokens(shorter);
    const isTooLong = afterTokens >= beforeTokens || compaction.meter.tokensOf([summary.message]) > room * MAX_SUMMARY_SHARE;
    if (isTooLong) throw new SummaryFailed('the summary is too long');
    const tokens = { beforeTokens: Math.round(beforeTokens), afterTokens: Math.round(afterTokens) };
    return { summary, saved: { text, upTo, ...tokens, messages: covered.length } };
  } catch (thrown) {
    signal.throwIfAborted();
    compaction.hasFailed = true;
    compaction.onSummaryFailed(thrown);
    return undefined;
  }
}

/** Returns the next request with every message of the history, as if none were left out, and without a note for the model. */
function wholeRequest(params: AgentRunParams, offerTools: boolean): MeasuredRequest {
  const { systemMessage, summary, tools } = params;
  const after = messagesAfterSummary(params);
  return {
    head: summary ? [systemMessage, summary.message] : [systemMessage],
    messages: after,
    tools: offerTools ? tools.wireTools : [],
  };
}

/** Returns true when messages would be left out because of their number. */
const hasTooManyMessages = (params: AgentRunParams): boolean => messagesAfterSummary(params).length > params.limits.maxContextMessages;

/**
 * Compacts the history when the next request would fill too much of the context window. Otherwise returns undefined at once. Rejects with the
 * signal's reason after an abort and as RunJournal.record does; a summary that fails does not reject.
 */
export function compactWhenNeeded(params: AgentRunParams, offerTools: boolean): Promise<void> | undefined {
  const { compaction, limits } = params;
  if (!compaction || compaction.hasFailed) return undefined;
  const request = wholeRequest(params, offerTools);
  if (!hasTooManyMessages(params) && !compaction.meter.mayExceed(request, compaction.share * limits.contextTokens)) return undefined;
  return compactHistory(params, compaction, request);
}
