/** Decides after tool calls whether the turn goes on, or is handed over: to the caller, with calls to run, or to a person, with a question. */
import type { AssistantMessage, WireToolCall } from '../port/llm';
import { formatQuestion, joinQuestions } from '../tools/builtin/clarify';
import type { Question } from '../tools/question';
import type { AgentRunParams, AttemptOutcome } from './agent_run';
import { toCallerCalls } from './caller_tools';
import type { ToolCallOutcome, ToolRunner } from './tool_runner/tool_runner';

/**
 * Decides how the turn continues once the history has the results of the agent's own calls. `callers`: calls of tools that the caller runs itself;
 * they end the turn, unless a question to a person ends it: then they are refused. Throws the signal's reason after an abort.
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
  params.signal.throwIfAborted();
  if (callers.length === 0) return nextAfterResults(params, results);
  if (!results.some(({ question }) => question)) return { next: 'handed_back', text, callerCalls: toCallerCalls(callers) };
  const refused = await runner.runCalls(callers, { isTurnOver: true });
  for (const result of refused) params.history.push(result.message);
  params.signal.throwIfAborted();
  return nextAfterResults(params, results);
}

/** The turn ends with the questions that the calls asked, and goes on when they asked none. */
function nextAfterResults(params: AgentRunParams, results: readonly ToolCallOutcome[]): Pick<AttemptOutcome, 'next' | 'text' | 'question'> {
  const questions = results.flatMap(result => result.question ?? []);
  const asked = joinQuestions(questions, params.locale);
  return asked ? handOverQuestion(params, asked) : { next: 'continue', text: '' };
}

/**
 * Ends the turn with a question, in a run that does not wait for answers (REST by default): the question becomes the answer of the run, is stored with
 * its end, and stays open. The next message of the person answers it. Readers see the question as text, unless the caller gets it as a call of its own
 * tool.
 */
function handOverQuestion(
  { journal, history, locale, handsQuestionsBack }: AgentRunParams,
  question: Question,
): { next: 'question'; text: string; question: Question } {
  const text = formatQuestion(question.question, question.choices, locale);
  const message: AssistantMessage = { role: 'assistant', content: text };
  history.push(message);
  if (!handsQuestionsBack) journal.delta({ type: 'text_delta', data: { text } });
  journal.append({ type: 'message_end', data: { role: 'assistant', content: text } }, message);
  return { next: 'question', text, question };
}
