/**
 * Ends a turn with a question, in runs that do not wait for answers (REST by default): the question becomes the answer of the run, is stored with its
 * end, and stays open. The next message of the person answers it.
 */
import type { AssistantMessage } from '../port/llm';
import { formatQuestion } from '../tools/builtin/clarify';
import type { Question } from '../tools/common';
import type { AgentRunParams } from './agent_run';

/** Adds the question to the history as the assistant's message and shows it to readers, unless the caller gets it as a call of its own tool. */
export function handOverQuestion(
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
