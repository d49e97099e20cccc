/**
 * The agent loop: repeats attempts until the model is done or a limit is reached. Model, tools, clock and journal are parameters, so the loop
 * knows no door, no store and no provider.
 */
import type { CallerCall } from '../port/caller';
import type { AssistantMessage, ChatMessage, FinishReason, LlmAnswer, WireToolCall } from '../port/llm';
import type { CutReason, IncompleteReason } from '../port/run_event';
import type { ToolLocale } from '../tools/common';
import type { Question } from '../tools/question';
import type { AgentRunParams, AttemptOutcome } from './agent_run';
import { answerWithoutModel } from './budget_answer';
import { nameCallerCalls, splitCalls } from './caller_tools';
import { foldGrowing } from './fold_growing';
import { nextAfterCalls } from './hand_over';
import { streamWithinContext } from './model_call';
import { noteAbout } from './raw_calls/call_note';
import { recordUsage } from './record_answer';
import { resumeAttempt, wasRepaired } from './resume';
import { BudgetSpent } from './run_spending';
import { outputInvalid, readOutput, repairNote } from './structured_output';
import { createToolRunner, type ToolRunner } from './tool_runner/tool_runner';

export interface AgentOutcome {
  /** incomplete: a limit ended the turn; `reason` names the limit and `text` is the answer so far. */
  status: 'completed' | 'incomplete';
  reason?: IncompleteReason;
  text: string;
  /** Present when a question ended the turn because the run does not wait for answers; `text` shows it to the person. */
  question?: Question;
  /** Tool calls with which the run ends, for its caller to run. */
  callerCalls?: CallerCall[];
}

/** Message to the model when its tool iterations are used up. It is not stored in the history. */
const LAST_ANSWER: Record<ToolLocale, string> = {
  en: 'The limit of tool calls for this turn is reached. Answer now without tools: say what is done, what was found and what is left.',
  'zh-CN': '本轮的工具调用次数已用完。请不再使用工具，直接回答：说明已完成什么、发现了什么、还剩什么。',
};

/**
 * Runs one turn. When tokens or money are used up before a model call, the turn ends `incomplete` without that call. When the model asks for more
 * tool calls than the budget allows, it gets one last call to answer, as after too many iterations. Rejects with an AppError `model_*` or
 * `store_unavailable`, or with the signal's reason after an abort; by then every tool call whose start was recorded has its result recorded too.
 */
export async function runAgent(params: AgentRunParams): Promise<AgentOutcome> {
  try {
    return await runTurn(params);
  } catch (thrown) {
    if (!(thrown instanceof BudgetSpent)) throw thrown;
    return { status: 'incomplete', reason: 'budget', text: answerWithoutModel(params, thrown.limit) };
  }
}

async function runTurn(params: AgentRunParams): Promise<AgentOutcome> {
  const outcome = await runAttempts(params);
  const problems = outputProblems(params, outcome);
  return problems === undefined ? outcome : repairAnswer(params, problems);
}

async function runAttempts(params: AgentRunParams): Promise<AgentOutcome> {
  const { spending, limits, locale } = params;
  const runner = params.toolRunner ?? createToolRunner(params);
  const resumed = params.resumed && (await resumeAttempt(params, runner));
  let note = resumed?.note;
  let outcome = resumed && note === undefined ? endOf(resumed) : undefined;
  let isTold = note !== undefined;
  for (let i = params.resumed?.attempts ?? 0; !outcome && i < limits.maxToolIterations && !spending?.isOutOfToolCalls; i++) {
    await addSteeringMessages(params);
    const attempt = await runAttempt(params, { runner, note });
    // The model gets a note once in a run. When a later answer makes the same mistake again, it becomes the answer as it is.
    note = isTold ? undefined : attempt.note;
    isTold ||= note !== undefined;
    outcome = note === undefined ? endOf(attempt) : undefined;
  }
  if (outcome) return outcome;
  const last = await runAttempt(params, { note: LAST_ANSWER[locale] });
  return { status: 'incomplete', reason: spending?.isOutOfToolCalls ? 'budget' : 'max_iterations', text: last.text };
}

/**
 * Gives the model one call, without tools and beside its tool iterations, to write its answer again. Rejects `output_invalid` when that answer does
 * not match either, or when the run was interrupted behind it.
 */
async function repairAnswer(params: AgentRunParams, problems: string): Promise<AgentOutcome> {
  if (params.resumed && wasRepaired(params)) throw outputInvalid(problems);
  const { text, cut } = await runAttempt(params, { note: repairNote(problems, params.locale) });
  if (cut) return { status: 'incomplete', reason: cut, text };
  const left = outputProblems(params, { status: 'completed', text });
  if (left !== undefined) throw outputInvalid(left);
  return { status: 'completed', text };
}

/** Returns why the answer does not match the schema of the run; undefined when it does, or is no answer for a program. */
function outputProblems({ outputSchema }: AgentRunParams, { status, question, callerCalls, text }: AgentOutcome): string | undefined {
  if (!outputSchema || status !== 'completed' || question || callerCalls) return undefined;
  const read = readOutput(text, outputSchema);
  return read.ok ? undefined : read.problems;
}

/** Returns undefined when the turn continues after this attempt. */
function endOf({ next, cut, text, question, callerCalls }: AttemptOutcome): AgentOutcome | undefined {
  if (next === 'continue') return undefined;
  if (next === 'handed_back') return { status: 'completed', text, callerCalls };
  if (next === 'question') return { status: 'completed', text, question };
  return cut ? { status: 'incomplete', reason: cut, text } : { status: 'completed', text };
}

async function addSteeringMessages({ takeSteeringMessages, history }: AgentRunParams): Promise<void> {
  history.push(...((await takeSteeringMessages?.()) ?? []));
}

/** Options of an attempt. Without a runner the model is offered no tools. `note`: a message for the model after the history; it is not stored. */
interface AttemptOptions {
  runner?: ToolRunner;
  note?: string;
}

/** One model call and its tool calls: streams the answer, appends it to the journal, runs the calls, and appends answer and results to the history. */
async function runAttempt(params: AgentRunParams, { runner, note }: AttemptOptions): Promise<AttemptOutcome> {
  const { answer, problem } = await streamWithinContext(params, { offerTools: runner !== undefined, note });
  const message = runner ? withCallIds(answer.message, params) : withoutCalls(answer.message);
  const text = message.content ?? '';
  const cut = cutReasonOf(answer.finishReason);
  const base = { text, cut, note: problem && noteAbout(problem, params.locale) };
  params.history.push(message);
  appendAnswer(params, message, { cut, answer });
  if (!runner || !message.tool_calls?.length) return { ...base, next: 'answered' };
  const { toolsAside = [] } = answer;
  const { own, callers } = splitCalls(message.tool_calls, params.tools, toolsAside);
  const results = own.length > 0 ? await runner.runCalls(own, { toolsAside }) : [];
  for (const result of results) params.history.push(result.message);
  return { ...base, ...(await nextAfterCalls(params, { runner, results, callers, text })) };
}

function cutReasonOf(finishReason: FinishReason): CutReason | undefined {
  if (finishReason === 'length') return 'output_limit';
  return finishReason === 'content_filter' ? 'content_filter' : undefined;
}

const withoutCalls = ({ tool_calls: _calls, ...message }: AssistantMessage): AssistantMessage => message;

function withCallIds(message: AssistantMessage, params: AgentRunParams): AssistantMessage {
  if (!message.tool_calls?.length) return message;
  return nameCallerCalls(withUniqueCallIds(message, message.tool_calls, params), params.tools, params.toolContext.runId ?? '');
}

const resultIds = foldGrowing<ChatMessage, Set<string>>(
  () => new Set(),
  (ids, message) => {
    if (message.role === 'tool') ids.add(message.tool_call_id);
  },
);

/** Renames repeated call ids: some servers count them from zero in every answer, and a run needs unique ones. */
function withUniqueCallIds(message: AssistantMessage, calls: readonly WireToolCall[], { history, ids }: AgentRunParams): AssistantMessage {
  const used = resultIds(history);
  if (!calls.some(call => used.has(call.id))) return message;
  const rename = (call: WireToolCall): WireToolCall => (used.has(call.id) ? { ...call, id: ids.next('call') } : call);
  return { ...message, tool_calls: calls.map(rename) };
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
