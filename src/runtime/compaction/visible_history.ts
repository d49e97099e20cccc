/** The history as the model sees it once a summary stands for its beginning. */
import { type AssistantMessage, type ChatMessage, summaryMessageOf, type UserMessage } from '../../port/llm';
import type { ToolLocale } from '../../tools/common';
import { toPlainText } from '../../utils/plain_text';
import { SUMMARY_TEXTS } from '../prompts/summary_texts';

/** Replaces the messages before `upTo`, an index in the history. */
export interface HistorySummary {
  text: string;
  upTo: number;
  /** The summary as the model gets it: one object in all requests, because bytes and sizes are cached by message object. */
  message: UserMessage;
}

interface SummarisedHistory {
  history: readonly ChatMessage[];
  /** Index of the message that began the run. */
  turnStart: number;
  summary?: HistorySummary;
}

const FRAME = 'conversation_summary';
const FRAME_WORD = /conversation_summary/gi;

/** Answer of the assistant between the summary and a message of a person. One object, so that the answer is encoded once. */
export const SUMMARY_ACCEPTED: Record<ToolLocale, AssistantMessage> = {
  en: { role: 'assistant', content: '[I go on from this summary.]' },
  'zh-CN': { role: 'assistant', content: '[我从这份摘要继续。]' },
};

/** Frames the summary as data, as untrustedText does, because the model also wrote it from pages, files and tool output. */
export function toHistorySummary(text: string, upTo: number, locale: ToolLocale): HistorySummary {
  const framed = toPlainText(text).replace(FRAME_WORD, 'conversation summary');
  const content = `${SUMMARY_TEXTS[locale].notice}\n<${FRAME}>\n${framed}\n</${FRAME}>`;
  return { text, upTo, message: summaryMessageOf(content) };
}

/** Returns the messages behind the summary: first the messages of people in the running turn that the summary covers, then everything after. */
export function messagesAfterSummary({ history, turnStart, summary }: SummarisedHistory): readonly ChatMessage[] {
  if (!summary || summary.upTo === 0) return history;
  const covered = history.slice(Math.min(turnStart, summary.upTo), summary.upTo);
  return [...covered.filter(message => message.role === 'user'), ...history.slice(summary.upTo)];
}
