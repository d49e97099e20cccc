/** The history as it is sent to a model: servers refuse a request with one call in it whose arguments are not a JSON object. */
import type { AssistantMessage, ChatMessage, WireToolCall } from '../port/llm';
import { isDeeperThan } from '../utils/json_depth';
import { MAX_ARGUMENT_DEPTH } from './tool_runner/argument_repair';

/** Sent in place of arguments that cannot be read. */
const UNREADABLE = '{}';

/** Message -> its form for the model. A history is sent once per attempt, and parsing long arguments takes milliseconds. */
const sendable = new WeakMap<AssistantMessage, AssistantMessage>();

/**
 * The same messages with `{}` in place of arguments that are not a JSON object; the history keeps the text that the model wrote. Messages
 * that need no change are passed on, never copied. O(n) in the messages; arguments are parsed once per message object.
 */
export function toModelMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map(message => (message.role === 'assistant' && message.tool_calls?.length ? toSendable(message) : message));
}

function toSendable(message: AssistantMessage): AssistantMessage {
  const known = sendable.get(message);
  if (known) return known;
  const calls = message.tool_calls ?? [];
  const readable = calls.map(toReadable);
  const result = readable.every((call, i) => call === calls[i]) ? message : { ...message, tool_calls: readable };
  sendable.set(message, result);
  return result;
}

const toReadable = (call: WireToolCall): WireToolCall =>
  isJsonObject(call.function.arguments) ? call : { ...call, function: { ...call.function, arguments: UNREADABLE } };

function isJsonObject(text: string): boolean {
  if (isDeeperThan(text, MAX_ARGUMENT_DEPTH)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
