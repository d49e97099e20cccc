/** Takes up a run where an interrupted process left it: the history is what was stored, nothing else is known. */
import type { AssistantMessage, ChatMessage, ToolMessage } from '../port/llm';
import { formatQuestion, joinQuestions } from '../tools/builtin/clarify';
import type { Question } from '../tools/common';
import type { AgentRunParams } from './agent_run';
import { type AttemptOutcome, handOver, nextAfter } from './attempt';
import { resolveCall } from './tool_runner/resolved_call';
import type { ToolRunner } from './tool_runner/tool_runner';

/**
 * Finishes the last attempt of the stored history: calls that have no result yet are run (see ToolRunner.run for what had begun). Resolves
 * undefined when the next thing to do is a model call; an answer that was stored but not ended is the outcome.
 */
export async function resumeAttempt(params: AgentRunParams, runner: ToolRunner): Promise<AttemptOutcome | undefined> {
  const { history } = params;
  const index = history.findLastIndex(message => message.role !== 'tool');
  const last = history[index];
  if (last?.role !== 'assistant') return undefined;
  if (!last.tool_calls?.length) return storedAnswer(params, index);
  const results = new Map(history.slice(index + 1).map(message => [(message as ToolMessage).tool_call_id, message]));
  const open = last.tool_calls.filter(call => !results.has(call.id));
  const questions = questionsAsText(params, last);
  const isTurnOver = questions.some(({ toolCallId }) => results.has(toolCallId));
  const asked = joinQuestions(
    questions.map(({ question }) => question),
    params.locale,
  );
  if (open.length === 0) return asked && handOver(params, asked);
  const outcomes = await runner.run(open, { isTurnOver });
  for (const { message } of outcomes) results.set(message.tool_call_id, message);
  history.length = index + 1;
  history.push(...last.tool_calls.map(call => results.get(call.id) as ChatMessage));
  if (!asked || !isTurnOver) return nextAfter(params, outcomes);
  params.signal.throwIfAborted();
  return handOver(params, asked);
}

/** The last message was stored, the end was not. It may be a question that was handed over, or what a limit left. */
function storedAnswer(params: AgentRunParams, index: number): AttemptOutcome {
  const { history, locale, limits, resumed } = params;
  const text = (history[index] as AssistantMessage).content ?? '';
  const before = history.slice(0, index).findLast(message => message.role !== 'tool');
  const questions = before?.role === 'assistant' ? questionsAsText(params, before) : [];
  const question = joinQuestions(
    questions.map(asked => asked.question),
    locale,
  );
  if (question && text === formatQuestion(question.question, question.choices, locale)) return { next: 'question', text, question };
  const isLast = (resumed?.attempts ?? 0) >= limits.maxToolIterations;
  const cut = isLast ? 'max_iterations' : resumed?.cut;
  return { next: 'answered', text, ...(cut && { cut }) };
}

/** The questions of an attempt, for runs that cannot wait for an answer. */
function questionsAsText({ toolContext, tools }: AgentRunParams, attempt: AssistantMessage): { toolCallId: string; question: Question }[] {
  if (toolContext.askPerson) return [];
  const prepared = (attempt.tool_calls ?? []).map(call => resolveCall(call, tools));
  return prepared.flatMap(({ id, tool, refusal, args }) =>
    tool?.asksPerson && !refusal ? [{ toolCallId: id, question: toQuestion(args as Question) }] : [],
  );
}

const toQuestion = ({ question, choices }: Question): Question => ({ question, ...(choices?.length && { choices }) });
