/**
 * History in wire format. What goes to a model is always valid: every tool call is followed by exactly one result, in the order of the
 * calls, no result stands alone, no assistant turn is empty.
 */
import type { AssistantMessage, ChatMessage, ToolMessage, WireToolCall } from '../port/llm';

/** Given to the model in place of a result that was never stored. */
export const OUTCOME_UNKNOWN = 'The outcome of this call is unknown: it was interrupted. Check the state before you repeat it.';

/**
 * What a model server would refuse about this history, or undefined when it is valid: a call without its one result right after it, results
 * out of order, a result without a call, an assistant turn that says nothing. O(n).
 */
export function historyProblem(messages: readonly ChatMessage[]): string | undefined {
  let open: readonly WireToolCall[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.tool_call_id !== open[0]?.id) return `the result of ${message.tool_call_id} stands where it does not belong`;
      open = open.slice(1);
      continue;
    }
    if (open.length > 0) return `the call ${open[0]?.id} has no result`;
    if (message.role !== 'assistant') continue;
    open = message.tool_calls ?? [];
    if (open.length === 0 && !message.content) return 'an assistant message says nothing';
  }
  return open.length > 0 ? `the call ${open[0]?.id} has no result` : undefined;
}

/**
 * The same history made valid: results are put in the order of their calls, missing ones become OUTCOME_UNKNOWN, orphans, doubles and
 * empty assistant messages are dropped. With `keepOpen` missing results of the very last attempt stay missing: they are still to come.
 * Message objects are passed on, never copied. O(n).
 */
export function repairHistory(messages: readonly ChatMessage[], { keepOpen = false } = {}): ChatMessage[] {
  const repaired: ChatMessage[] = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as ChatMessage;
    if (message.role === 'tool') continue;
    if (message.role !== 'assistant') {
      repaired.push(message);
    } else if (message.tool_calls?.length) {
      const found = resultsAfter(messages, i);
      const isOpen = keepOpen && i + found.count === messages.length - 1;
      repaired.push(message, ...resultsOf(message, found.byCall, isOpen));
    } else if (message.content) {
      repaired.push(message);
    }
  }
  return repaired;
}

/** Results between the message at `index` and the next message that is none; the first of a repeated id counts. */
function resultsAfter(messages: readonly ChatMessage[], index: number): { byCall: Map<string, ToolMessage>; count: number } {
  const byCall = new Map<string, ToolMessage>();
  let count = 0;
  for (let i = index + 1; i < messages.length; i++) {
    const message = messages[i] as ChatMessage;
    if (message.role !== 'tool') break;
    count += 1;
    if (!byCall.has(message.tool_call_id)) byCall.set(message.tool_call_id, message);
  }
  return { byCall, count };
}

function resultsOf(assistant: AssistantMessage, byCall: ReadonlyMap<string, ToolMessage>, isOpen: boolean): ToolMessage[] {
  const calls = assistant.tool_calls ?? [];
  return calls.flatMap((call): ToolMessage[] => {
    const result = byCall.get(call.id);
    if (result || isOpen) return result ? [result] : [];
    return [{ role: 'tool', tool_call_id: call.id, content: OUTCOME_UNKNOWN }];
  });
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
