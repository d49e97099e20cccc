/** Continues a run that an interrupted process left: only the stored history is known. */
import type { AssistantMessage, ToolMessage } from '../port/llm';
import { formatQuestion, joinQuestions } from '../tools/builtin/clarify';
import type { Question } from '../tools/question';
import type { AgentRunParams, AttemptOutcome } from './agent_run';
import { splitCalls } from './caller_tools';
import { nextAfterCalls } from './hand_over';
import { AnswerText } from './raw_calls/answer_text';
import { type CallProblem, noteAbout } from './raw_calls/call_note';
import { findTool } from './tool_assembler';
import { resolveCall } from './tool_runner/resolve_call';
import type { ToolCallOutcome, ToolRunner } from './tool_runner/tool_runner';

/**
 * Finishes the last attempt of the stored history: runs the calls that have no result yet, as ToolRunner.runCalls describes. Resolves with undefined
 * when a model call is next, and with the outcome when the answer was stored and only the end of the run was not.
 */
export async function resumeAttempt(params: AgentRunParams, runner: ToolRunner): Promise<AttemptOutcome | undefined> {
  const { history } = params;
  const index = history.findLastIndex(message => message.role !== 'tool');
  const last = history[index];
  if (last?.role !== 'assistant') return undefined;
  const calls = last.tool_calls ?? [];
  if (calls.length === 0) return storedAnswer(params, index);
  const outcomes = storedOutcomes(params, last, history.slice(index + 1) as ToolMessage[]);
  const isTurnOver = [...outcomes.values()].some(({ question }) => question);
  const { own, callers } = splitCalls(
    calls.filter(call => !outcomes.has(call.id)),
    params.tools,
  );
  if (own.length + callers.length === 0 && !isTurnOver) return undefined;
  for (const outcome of await runner.runCalls(own, { isTurnOver })) outcomes.set(outcome.message.tool_call_id, outcome);
  const ordered = calls.flatMap(call => outcomes.get(call.id) ?? []);
  history.splice(index + 1, Number.POSITIVE_INFINITY, ...ordered.map(({ message }) => message));
  return nextAfterCalls(params, { runner, results: ordered, callers, text: last.content ?? '' });
}

/** Returns the outcomes that an attempt had before the interruption, by tool call. */
function storedOutcomes(params: AgentRunParams, attempt: AssistantMessage, results: readonly ToolMessage[]): Map<string, ToolCallOutcome> {
  const questions = handedOverQuestions(params, attempt);
  return new Map(
    results.map(message => {
      const question = questions.get(message.tool_call_id);
      return [message.tool_call_id, { message, question }];
    }),
  );
}

/** Returns the outcome when the last message was stored and the end of the run was not: a question that was handed over, or an answer. */
function storedAnswer(params: AgentRunParams, index: number): AttemptOutcome {
  const { history, locale, limits, resumed, spending } = params;
  const text = (history[index] as AssistantMessage).content ?? '';
  const before = history.slice(0, index).findLast(message => message.role !== 'tool');
  const questions = before?.role === 'assistant' ? handedOverQuestions(params, before) : new Map<string, Question>();
  const question = joinQuestions([...questions.values()], locale);
  if (question && text === formatQuestion(question.question, question.choices, locale)) return { next: 'question', text, question };
  const isLast = (resumed?.attempts ?? 0) >= limits.maxToolIterations;
  const cut = spending?.isOutOfToolCalls ? 'budget' : isLast ? 'max_iterations' : resumed?.cut;
  if (cut) return { next: 'answered', text, cut };
  const problem = untoldProblem(params, index);
  return { next: 'answered', text, note: problem && noteAbout(problem, locale) };
}

/**
 * Returns true when the last message is an answer that the model wrote in place of another one, because that one did not match the schema of the run:
 * then an answer of the same turn stands before it that called for no other note.
 */
export function wasRepaired(params: AgentRunParams): boolean {
  const { history } = params;
  const [before, last] = history.slice(-2);
  if (before?.role !== 'assistant' || before.tool_calls?.length || last?.role !== 'assistant') return false;
  return untoldProblem(params, history.length - 2) === undefined;
}

/** Returns what is wrong with a call in the stored answer, unless the model was told: then an answer of the same turn stands before it. */
function untoldProblem({ history, tools, ids }: AgentRunParams, index: number): CallProblem | undefined {
  const answer = history[index] as AssistantMessage;
  const before = history[index - 1];
  if (before?.role === 'assistant') return undefined;
  const reader = new AnswerText({ findTool: name => findTool(tools, name), history: history.slice(0, index), ids });
  return reader.finish({ message: answer, reasoning: '', finishReason: 'stop' }).problem;
}

/** Returns the questions that an attempt hands over as text, by tool call; none in a run that waits for answers. A refused call has asked nothing. */
function handedOverQuestions({ toolContext, tools, resumed }: AgentRunParams, attempt: AssistantMessage): Map<string, Question> {
  if (toolContext.askPerson) return new Map();
  const calls = (attempt.tool_calls ?? []).map(call => resolveCall(call, tools));
  const asking = calls.filter(({ id, tool, refusal }) => tool?.asksPerson && !refusal && !resumed?.failed.has(id));
  return new Map(asking.map(({ id, args }) => [id, toQuestion(args as Question)]));
}

const toQuestion = ({ choices, ...asked }: Question): Question => ({ ...asked, choices: choices?.length ? choices : undefined });
