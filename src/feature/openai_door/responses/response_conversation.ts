/** Turns the items of a request into the messages that a run begins with. */
import type { AssistantMessage, ChatMessage, ToolMessage, UserMessage } from '../../../port/llm';
import type { Locale } from '../../../port/store/sessions';
import type { NamedImage } from '../../../service/image/image_service';
import { requestWithoutMessage } from '../../../service/run/given_conversation';
import { refusal } from '../../../wire/refusal';
import type { ContentPart, InputItem, ReadInput } from './response_input';

export interface Conversation {
  /** Messages of the system and of developers, in order. */
  instructions: readonly string[];
  /** Messages up to the last one of the assistant. */
  earlier: readonly ChatMessage[];
  /** The messages after the last answer: results of calls first, then messages of people. At least one. */
  turn: readonly (ToolMessage | UserMessage)[];
  /** The text of people in `turn`; '' when `turn` holds only results. */
  text: string;
  images: readonly NamedImage[];
}

/**
 * Turns input items into messages. Throws `invalid_request` for an empty list. `locale`: language of the text that asks for the rest of a last
 * answer.
 */
export function toConversation({ items, places }: ReadInput, locale: Locale): Conversation {
  const instructions: string[] = [];
  const messages: ChatMessage[] = [];
  const images: NamedImage[] = [];
  for (const [i, item] of items.entries()) {
    if (item.type === 'function_call') addCall(messages, item);
    else if (item.type === 'function_call_output') messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output });
    else if (item.role === 'user') messages.push(toUserMessage(item.content, places[i] ?? i, images));
    else if (item.role === 'assistant') messages.push({ role: 'assistant', content: textOf(item.content) });
    else instructions.push(textOf(item.content));
  }
  const { earlier, turn } = splitTurn(messages, { isEmpty: items.length === 0, locale });
  const said = turn.flatMap(message => (message.role === 'user' ? [message.content] : []));
  return { instructions, earlier, turn, text: said.join('\n\n'), images };
}

/** Adds a call to the answer before it. */
function addCall(messages: ChatMessage[], { call_id: id, name, arguments: text }: Extract<InputItem, { type: 'function_call' }>): void {
  const call = { id, type: 'function' as const, function: { name, arguments: text } };
  const last = messages.at(-1);
  const answer: AssistantMessage = last?.role === 'assistant' ? last : { role: 'assistant', content: null };
  if (answer !== last) messages.push(answer);
  answer.tool_calls = [...(answer.tool_calls ?? []), call];
}

/** JSON pointer of the image in a part of an item; `item` is its index in the request. */
export const imagePointer = (item: number, part: number): string => `/input/${item}/content/${part}/image_url`;

function toUserMessage(parts: readonly ContentPart[], item: number, images: NamedImage[]): UserMessage {
  const message: UserMessage = { role: 'user', content: textOf(parts) };
  for (const [i, part] of parts.entries()) {
    if (part.type === 'input_image') images.push({ at: imagePointer(item, i), url: part.image_url, message });
  }
  return message;
}

const textOf = (parts: readonly ContentPart[]): string =>
  parts.flatMap(part => (part.type === 'input_image' ? [] : [part.text])).join('\n');

function splitTurn(
  messages: readonly ChatMessage[],
  { isEmpty, locale }: { isEmpty: boolean; locale: Locale },
): Pick<Conversation, 'earlier' | 'turn'> {
  const start = messages.findLastIndex(message => message.role === 'assistant') + 1;
  const turn = messages.slice(start).filter(message => message.role === 'tool' || message.role === 'user');
  if (turn.length === 0 && !isEmpty) turn.push(requestWithoutMessage(start > 0, locale));
  if (isEmpty) throw refusal('/input', 'must be a text, or at least one item', '必须是文本，或至少一个条目');
  const results = turn.filter(message => message.role === 'tool');
  return { earlier: messages.slice(0, start), turn: [...results, ...turn.filter(message => message.role === 'user')] };
}
