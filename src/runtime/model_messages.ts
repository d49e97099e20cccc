/**
 * Prepares a history for a model. Servers refuse a request when the arguments of a single call are not a JSON object, and some refuse two answers,
 * or two messages of a person, in a row.
 */
import { type AssistantMessage, type ChatMessage, prefaceOf, type UserMessage, type WireToolCall } from '../port/llm';
import type { ToolLocale } from '../tools/common';
import { MAX_ARGUMENT_DEPTH } from '../tools/meant_arguments';
import { isDeeperThan } from '../utils/json_depth';
import { toWellFormedJson } from '../utils/well_formed';
import { foldGrowing } from './fold_growing';

/** Replaces arguments that cannot be parsed. */
const UNREADABLE = '{}';

/** Cache: message -> the message to send. Each attempt sends the history again, and parsing long arguments takes milliseconds. */
const sendable = new WeakMap<AssistantMessage, AssistantMessage>();

/** Cache: user message -> the message as a model gets it, with its time and its note before the text. */
const prefaced = new WeakMap<UserMessage, UserMessage>();

/**
 * Cache: answer -> the answer behind it, and both as one message. The joined message stays one object, because bytes and sizes are cached by message
 * object.
 */
const joined = new WeakMap<AssistantMessage, { next: AssistantMessage; both: AssistantMessage }>();

/** Answer of the assistant between two messages of a person, so that roles alternate. One object, so that the answer is encoded once. */
const UNANSWERED: Record<ToolLocale, AssistantMessage> = {
  en: { role: 'assistant', content: '[The message above got no answer.]' },
  'zh-CN': { role: 'assistant', content: '[上面这条消息没有得到回答。]' },
};

/**
 * Returns a valid history as a model gets it. Replaces arguments that are not a JSON object by `{}`; the history keeps the original text. Joins
 * neighbouring answers, such as one with a call as text that did not run and the one after the note about it. Puts UNANSWERED between neighbouring
 * messages of a person, such as after a cancelled turn: joining the two would change a message that was sent before. Reuses unchanged messages;
 * parses the arguments of a message object once. `locale`: the language of the texts that are put in; absent: no text is put in.
 */
export function toModelMessages(history: readonly ChatMessage[], locale?: ToolLocale): ChatMessage[] {
  return [...convertGrowing[locale ?? 'none'](history)];
}

/** A history grows by the messages of each attempt, so earlier messages are converted to the same objects again. */
const convertGrowing: Record<ToolLocale | 'none', (history: readonly ChatMessage[]) => readonly ChatMessage[]> = {
  en: foldGrowing<ChatMessage, ChatMessage[]>(
    () => [],
    (messages, message) => addMessage(messages, message, UNANSWERED.en),
  ),
  'zh-CN': foldGrowing<ChatMessage, ChatMessage[]>(
    () => [],
    (messages, message) => addMessage(messages, message, UNANSWERED['zh-CN']),
  ),
  none: foldGrowing<ChatMessage, ChatMessage[]>(
    () => [],
    (messages, message) => addMessage(messages, message, undefined),
  ),
};

function addMessage(messages: ChatMessage[], message: ChatMessage, unanswered: AssistantMessage | undefined): void {
  const last = messages.at(-1);
  if (message.role === 'user') {
    if (unanswered && last?.role === 'user') messages.push(unanswered);
    messages.push(withPreface(message));
  } else if (message.role !== 'assistant') messages.push(message);
  else if (last?.role === 'assistant' && !last.tool_calls?.length) messages[messages.length - 1] = join(last, toSendable(message));
  else messages.push(toSendable(message));
}

function withPreface(message: UserMessage): UserMessage {
  const { time, foreign, isByGateway, by, summary: _summary, ...rest } = message;
  if (time === undefined && foreign === undefined && by === undefined && !isByGateway) return message;
  const known = prefaced.get(message);
  if (known) return known;
  const result = { ...rest, content: prefaceOf(message) + message.content };
  prefaced.set(message, result);
  return result;
}

function join(message: AssistantMessage, next: AssistantMessage): AssistantMessage {
  const known = joined.get(message);
  if (known?.next === next) return known.both;
  const content = [message.content, next.content].filter(text => text).join('\n\n');
  const both = { ...next, content };
  joined.set(message, { next, both });
  return both;
}

function toSendable(message: AssistantMessage): AssistantMessage {
  const { isByGateway, ...rest } = message;
  if (!message.tool_calls?.length && !isByGateway) return message;
  const known = sendable.get(message);
  if (known) return known;
  const result = withReadableCalls(isByGateway ? rest : message);
  sendable.set(message, result);
  return result;
}

function withReadableCalls(message: AssistantMessage): AssistantMessage {
  const calls = message.tool_calls ?? [];
  const readable = calls.map(toReadable);
  return readable.every((call, i) => call === calls[i]) ? message : { ...message, tool_calls: readable };
}

function toReadable(call: WireToolCall): WireToolCall {
  const text = toWellFormedJson(objectText(call.function.arguments) ?? UNREADABLE);
  return text === call.function.arguments ? call : { ...call, function: { ...call.function, arguments: text } };
}

/** Returns the JSON text of an object, also when it came as a JSON string; undefined for any other text. */
function objectText(text: string): string | undefined {
  if (isDeeperThan(text, MAX_ARGUMENT_DEPTH)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return objectText(value);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : undefined;
  } catch {
    return undefined;
  }
}
