/** Makes the output items of a response. Their ids are derived from the run and the position, so that every projection gives the same ids. */
import type { CallerCall } from '../../../port/caller';
import type { ChatMessage } from '../../../port/llm';
import { outputText } from '../items/output_text';
import type { ItemStatus, OutputFunctionCall, OutputItem, OutputMessage, OutputReasoning } from './response_object';

/** `index`: position among the answers of the model in the run, from 0. Without a text the message has no content yet. */
export const messageItem = (runId: string, index: number, status: ItemStatus, text?: string): OutputMessage => ({
  id: `msg_${runId}_${index}`,
  type: 'message',
  status,
  role: 'assistant',
  content: text === undefined ? [] : [outputText(text)],
});

/** `index`: position among the reasoning items of the run, from 0. */
export const reasoningItem = (runId: string, index: number, status: ItemStatus, text?: string): OutputReasoning => ({
  id: `rs_${runId}_${index}`,
  type: 'reasoning',
  status,
  summary: text === undefined ? [] : [{ type: 'summary_text', text }],
});

/** `index`: position among the function calls of the run, from 0. */
export const functionCallItem = (runId: string, index: number, status: ItemStatus, call: CallerCall): OutputFunctionCall => ({
  id: `fc_${runId}_${index}`,
  type: 'function_call',
  status,
  call_id: call.toolCallId,
  name: call.name,
  arguments: call.arguments,
});

/** Makes the output of a run from its stored messages, in order: the same items as from its log, without reasoning. */
export function outputOfMessages(
  runId: string,
  messages: readonly ChatMessage[],
  { callerCalls = [], isCut, isQuestionCall }: { callerCalls?: readonly CallerCall[]; isCut: boolean; isQuestionCall: boolean },
): OutputItem[] {
  const answers = messages.filter(message => message.role === 'assistant');
  const texts = answers.flatMap(({ content }, i) => {
    const status = isCut && i === answers.length - 1 ? 'incomplete' : 'completed';
    // The question is stored as the last answer, and goes to the caller as a call.
    const isShown = content && !(isQuestionCall && i === answers.length - 1);
    return isShown ? [messageItem(runId, i, status, content)] : [];
  });
  return [...texts, ...callerCalls.map((call, i) => functionCallItem(runId, i, 'completed', call))];
}
