/** One answer of a model for the corpus of raw tool calls. */
import type { ChatMessage } from '../../../src/port/llm';

export interface CorpusCase {
  /** The format, or what the answer is about. */
  name: string;
  answer: string;
  /** The message of the person. Default: a request that asks for no code. */
  request?: string;
  /** Result of an earlier tool call. */
  toolResult?: string;
  /** The calls to recover: tool and arguments. Look-alikes have none. */
  calls?: readonly (readonly [string, Record<string, unknown>])[];
  /** The text that stays. Default: none. */
  text?: string;
  /** A look-alike that the model is told about. */
  isTold?: boolean;
}

export const DEFAULT_REQUEST = 'Find out what is in the notes and go on.';

/** Returns the messages before the answer. */
export function historyOf({ request = DEFAULT_REQUEST, toolResult }: CorpusCase): ChatMessage[] {
  const asked: ChatMessage = { role: 'user', content: request };
  if (toolResult === undefined) return [asked];
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"page.txt"}' } };
  return [asked, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: 'call_1', content: toolResult }];
}
