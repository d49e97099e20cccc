/** One model call and its tool calls. */
import type { CallerCall } from '../port/caller';
import type { AssistantMessage, ChatMessage, FinishReason, LlmAnswer, WireToolCall } from '../port/llm';
import type { CutReason, IncompleteReason } from '../port/run_event';
import { joinQuestions } from '../tools/builtin/clarify';
import type { Question } from '../tools/common';
import type { AgentRunParams } from './agent_run';
import { nameCallerCalls, splitCalls, toCallerCalls } from './caller_tools';
import { foldGrowing } from './fold_growing';
import { handOverQuestion } from './hand_over_question';
import { streamWithinContext } from './model_call';
import { type CallProblem, noteAbout } from './raw_calls/call_note';
import { recordUsage } from './record_usage';
import type { ToolCallOutcome, ToolRunner } from './tool_runner/tool_runner';

export interface AttemptOutcome {
  next: 'answered' | 'continue' | 'question' | 'handed_back';
  text: string;
  /** The limit that cut the answer short. */
  cut?: IncompleteReason;
  question?: Question;
  /** Tool calls that go back to the caller of the run. */
  callerCalls?: CallerCall[];
  /** A note for the model: a part of its answer looks like a tool call and is none. */
  note?: string;
}

/** Options of an attempt. Without a runner the model is offered no tools. `note`: a message for the model after the history; it is not stored. */
export interface AttemptOptions {
  runner?: ToolRunner;
  note?: string;
}

/** Streams one answer, appends it to the journal, runs its tool calls, and appends answer and results to the history. Rejects as runAgent does. */
export async function runAttempt(params: AgentRunParams, { runner, note }: AttemptOptions): Promise<AttemptOutcome> {
  const { answer, problem } = await streamWithinContext(params, { offerTools: runner !== undefined, note });
  const message = runner ? withCallIds(answer.message, params) : withoutCalls(answer.message);
  const text = message.content ?? '';
  const cut = cutReasonOf(answer.finishReason);
  const base = { text, cut, ...noteOf(problem, params) };
  params.history.push(message);
  appendAnswer(params, message, { cut, answer });
  if (!runner || !message.tool_calls?.length) return { ...base, next: 'answered' };
  const { toolsAside = [] } = answer;
  const { own, callers } = splitCalls(message.tool_calls, params.tools, toolsAside);
  const results = own.length > 0 ? await runner.runCalls(own, { toolsAside }) : [];
  for (const result of results) params.history.push(result.message);
  return { ...base, ...(await nextAfterCalls(params, { runner, results, callers, text })) };
}

/**
 * Decides like nextAfter, for an answer with calls of the caller: without a question the turn ends with these calls; a question ends the turn without
 * them.
 */
export async function nextAfterCalls(
  params: AgentRunParams,
  {
    runner,
    results,
    callers,
    text,
  }: { runner: ToolRunner; results: readonly ToolCallOutcome[]; callers: readonly WireToolCall[]; text: string },
): Promise<Pick<AttemptOutcome, 'next' | 'text' | 'question' | 'callerCalls'>> {
  if (callers.length === 0) return nextAfter(params, results);
  params.signal.throwIfAborted();
  if (!results.some(({ question }) => question)) return { next: 'handed_back', text, callerCalls: toCallerCalls(callers) };
  const refused = await runner.runCalls(callers, { isTurnOver: true });
  for (const result of refused) params.history.push(result.message);
  return nextAfter(params, results);
}

/** Decides how the turn continues once the history has the results of all calls. Throws the signal's reason after an abort. */
function nextAfter(params: AgentRunParams, results: readonly ToolCallOutcome[]): Pick<AttemptOutcome, 'next' | 'text' | 'question'> {
  params.signal.throwIfAborted();
  const questions = results.flatMap(result => result.question ?? []);
  const asked = joinQuestions(questions, params.locale);
  return asked ? handOverQuestion(params, asked) : { next: 'continue', text: '' };
}

/** Returns the field of the outcome with the note about `problem`, or no field. */
export const noteOf = (problem: CallProblem | undefined, { locale }: AgentRunParams): Pick<AttemptOutcome, 'note'> =>
  problem ? { note: noteAbout(problem, locale) } : {};

function cutReasonOf(finishReason: FinishReason): CutReason | undefined {
  if (finishReason === 'length') return 'output_limit';
  return finishReason === 'content_filter' ? 'content_filter' : undefined;
}

const withoutCalls = ({ tool_calls: _calls, ...message }: AssistantMessage): AssistantMessage => message;

const withCallIds = (message: AssistantMessage, params: AgentRunParams): AssistantMessage =>
  nameCallerCalls(withUniqueCallIds(message, params), params.tools, params.toolContext.runId ?? '');

const resultIds = foldGrowing<ChatMessage, Set<string>>(
  () => new Set(),
  (ids, message) => {
    if (message.role === 'tool') ids.add(message.tool_call_id);
  },
);

/** Renames repeated call ids: some servers count them from zero in every answer, and a run needs unique ones. */
function withUniqueCallIds(message: AssistantMessage, { history, ids }: AgentRunParams): AssistantMessage {
  if (!message.tool_calls?.length) return message;
  const used = resultIds(history);
  if (!message.tool_calls.some(call => used.has(call.id))) return message;
  const rename = (call: WireToolCall): WireToolCall => (used.has(call.id) ? { ...call, id: ids.next('call') } : call);
  return { ...message, tool_calls: message.tool_calls.map(rename) };
}

function appendAnswer(
  params: AgentRunParams,
  message: AssistantMessage,
  { cut, answer }: { cut: CutReason | undefined; answer: LlmAnswer },
): void {
  const toolCalls = message.tool_calls?.map(call => ({
    toolCallId: call.id,
    name: call.function.name,
    arguments: call.function.arguments,
  }));
  const data = {
    role: 'assistant' as const,
    content: message.content ?? '',
    toolCalls,
    truncated: cut && (true as const),
    reason: cut,
  };
  params.journal.append({ type: 'message_end', data }, message);
  recordUsage(params, answer);
}
