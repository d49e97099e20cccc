/** Turns items into messages of a history, one by one. */
import type { AssistantMessage, ChatMessage, UserMessage } from '../../../port/llm';
import { SUMMARY_ACCEPTED, toHistorySummary } from '../../../runtime/compaction/visible_history';
import type { NamedImage } from '../../../service/image/image_service';
import type { Summary } from './compaction_seals';
import type { ContentPart, InputItem, ReadInput } from './input_items';

export interface ItemMessages {
  /** Messages of the system and of developers, in order. */
  instructions: string[];
  /** The other messages, in order, without their images and files. */
  messages: ChatMessage[];
  images: NamedImage[];
}

/** Turns input items into messages, one by one. */
export function toMessages(input: ReadInput): ItemMessages {
  const { items, places } = input;
  const read: ItemMessages = { instructions: [], messages: [], images: [] };
  const { messages } = read;
  let shown: { at: string; url: string }[] = [];
  const showImages = () => {
    if (shown.length === 0) return;
    const message: UserMessage = { role: 'user', content: '', isByGateway: true };
    messages.push(message);
    read.images.push(...shown.map(image => ({ ...image, message })));
    shown = [];
  };
  for (const [i, item] of items.entries()) {
    if (item.type !== 'function_call_output') showImages();
    if (item.type === 'function_call') addCall(messages, item);
    else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output });
      shown.push(...(item.images ?? []));
    } else if (item.type === 'compaction') messages.push(...toSummaryMessages(item.summary));
    else if (item.role === 'user') messages.push(toUserMessage(item.content, `${input.at}/${places[i] ?? i}`, read.images));
    else if (item.role === 'assistant') messages.push({ role: 'assistant', content: textOf(item.content) });
    else read.instructions.push(textOf(item.content));
  }
  showImages();
  return read;
}

/** The summary, and the answer that accepts it. */
const toSummaryMessages = ({ text, locale }: Summary): ChatMessage[] => [
  { ...toHistorySummary(text, 0, locale).message, isByGateway: true, summary: { text, locale } },
  { ...SUMMARY_ACCEPTED[locale], isByGateway: true },
];

/** Adds a call to the answer before it. */
function addCall(messages: ChatMessage[], { call_id: id, name, arguments: text }: Extract<InputItem, { type: 'function_call' }>): void {
  const call = { id, type: 'function' as const, function: { name, arguments: text } };
  const last = messages.at(-1);
  const answer: AssistantMessage = last?.role === 'assistant' ? last : { role: 'assistant', content: null };
  if (answer !== last) messages.push(answer);
  answer.tool_calls = [...(answer.tool_calls ?? []), call];
}

/** JSON pointer of the image in a part of an item; `item`: the pointer of the item. */
export const imagePointer = (item: string, part: number): string => `${item}/content/${part}/image_url`;

/** `item`: JSON pointer of the item. */
function toUserMessage(parts: readonly ContentPart[], item: string, images: NamedImage[]): UserMessage {
  const message: UserMessage = { role: 'user', content: textOf(parts) };
  for (const [i, part] of parts.entries()) {
    if (part.type === 'input_image') images.push({ at: imagePointer(item, i), url: part.image_url, message });
    if (part.type === 'input_file' && part.pdf !== undefined)
      images.push({ at: `${item}/content/${i}`, url: part.pdf, message, file: { name: part.filename, hasText: true } });
  }
  return message;
}

const textOf = (parts: readonly ContentPart[]): string =>
  parts
    .flatMap(part => (part.type === 'input_file' ? part.paths.map(toMention) : part.type === 'input_image' ? [] : [part.text]))
    .join('\n');

/** Names a path as the page does for a file that a person attaches. */
const toMention = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);
