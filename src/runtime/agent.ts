/**
 * The agent loop: repeats attempts until the model is done or a limit is reached. Model, tools, clock and journal are parameters, so the loop
 * knows no door, no store and no provider.
 */
import type { CallerCall } from '../port/caller';
import type { IncompleteReason } from '../port/run_event';
import type { Question, ToolLocale } from '../tools/common';
import type { AgentRunParams } from './agent_run';
import { type AttemptOutcome, runAttempt } from './attempt';
import { answerWithoutModel } from './budget_answer';
import { resumeAttempt } from './resume';
import { BudgetSpent } from './run_spending';
import { createToolRunner } from './tool_runner/tool_runner';

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
  const { spending, limits, locale } = params;
  const runner = createToolRunner(params);
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

/** Returns undefined when the turn continues after this attempt. */
function endOf({ next, cut, text, question, callerCalls }: AttemptOutcome): AgentOutcome | undefined {
  if (next === 'continue') return undefined;
  if (next === 'handed_back') return { status: 'completed', text, callerCalls };
  if (next === 'question') return { status: 'completed', text, question };
  return cut ? { status: 'incomplete', reason: cut, text } : { status: 'completed', text };
}

async function addSteeringMessages({ takeSteeringMessages, history }: AgentRunParams): Promise<void> {
  const texts = (await takeSteeringMessages?.()) ?? [];
  for (const content of texts) history.push({ role: 'user', content });
}
