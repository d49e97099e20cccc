/**
 * History in wire format. What goes to a model is always valid: every tool call is followed by exactly one result, in the order of the
 * calls, no result stands alone, no assistant turn is empty.
 */
import type { AssistantMessage, ChatMessage, ToolMessage } from '../port/llm';

/** Given to the model in place of a result that was never stored. */
export const OUTCOME_UNKNOWN = 'The outcome of this call is unknown: it was interrupted. Check the state before you repeat it.';

/**
 * The same history made valid: results are put in the order of their calls, missing ones become OUTCOME_UNKNOWN, orphans, doubles and
 * empty assistant messages are dropped. Message objects are passed on, never copied. O(n).
 */
export function repairHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const repaired: ChatMessage[] = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as ChatMessage;
    if (message.role === 'tool') continue;
    if (message.role !== 'assistant') {
      repaired.push(message);
    } else if (message.tool_calls?.length) {
      repaired.push(message, ...resultsOf(message, messages, i + 1));
    } else if (message.content) {
      repaired.push(message);
    }
  }
  return repaired;
}

/** Results that follow `assistant` up to the next message that is not one, in the order of its calls. */
function resultsOf(assistant: AssistantMessage, messages: readonly ChatMessage[], start: number): ToolMessage[] {
  const found = new Map<string, ToolMessage>();
  for (let i = start; i < messages.length; i++) {
    const message = messages[i] as ChatMessage;
    if (message.role !== 'tool') break;
    if (!found.has(message.tool_call_id)) found.set(message.tool_call_id, message);
  }
  const calls = assistant.tool_calls ?? [];
  return calls.map(call => found.get(call.id) ?? { role: 'tool', tool_call_id: call.id, content: OUTCOME_UNKNOWN });
}

/**
 * The last messages, at most `limit`, cut only before a user message, so whole turns stay together. The current turn is kept even when it
 * alone is over the limit.
 */
export function trimHistory(messages: readonly ChatMessage[], limit: number): readonly ChatMessage[] {
  if (messages.length <= limit) return messages;
  let start = -1;
  for (let i = messages.length - 1; i >= 0; i--) {
    if (messages[i]?.role !== 'user') continue;
    if (start !== -1 && messages.length - i > limit) break;
    start = i;
  }
  return start <= 0 ? messages : messages.slice(start);
}
