/** Prepares a history for a model: servers refuse a request when the arguments of a single call are not a JSON object. */
import type { AssistantMessage, ChatMessage, WireToolCall } from '../port/llm';
import { isDeeperThan } from '../utils/json_depth';
import { MAX_ARGUMENT_DEPTH } from './tool_runner/argument_repair';

/** Replaces arguments that cannot be parsed. */
const UNREADABLE = '{}';

/** Cache: message -> the message to send. Each attempt sends the history again, and parsing long arguments takes milliseconds. */
const sendable = new WeakMap<AssistantMessage, AssistantMessage>();

/**
 * Replaces arguments that are not a JSON object by `{}`; the history keeps the original text. Returns an unchanged message as it is, without
 * a copy. Parses the arguments of a message object once.
 */
export const toModelMessage = (message: ChatMessage): ChatMessage =>
  message.role === 'assistant' && message.tool_calls?.length ? toSendable(message) : message;

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
