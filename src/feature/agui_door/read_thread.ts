/** Reads the messages of RunAgentInput: those that are new to a thread, in the form of the chat completions API. */

import { runOfCallerCall } from '../../port/caller';
import type { AssistantMessage, ChatMessage, ToolMessage, UserMessage, WireToolCall } from '../../port/llm';
import type { NamedImage } from '../../service/image/image_service';
import { refusal } from '../../wire/refusal';
import type { ThreadMessage } from './run_agent_input';

export interface ReadThread {
  /** Texts of system and developer messages, in order. */
  instructions: readonly string[];
  messages: ChatMessage[];
  images: NamedImage[];
}

type Fields = Record<string, unknown>;

interface Placed {
  message: ThreadMessage;
  /** JSON pointer. */
  at: string;
}

const placed = (given: readonly ThreadMessage[]): Placed[] => given.map((message, i) => ({ message, at: `/messages/${i}` }));

/**
 * Reads the whole thread, for a new session. A result counts when its call stands before it. Throws `invalid_request` with the pointer of the
 * field.
 */
export function readWholeThread(given: readonly ThreadMessage[]): ReadThread {
  const read = emptyThread(given);
  const calls = new Set<string>();
  for (const { message, at } of placed(given)) {
    if (message.role === 'user') read.messages.push(readUser(message, at, read.images));
    else if (message.role === 'assistant') read.messages.push(readAssistant(message, at, calls));
    else if (message.role === 'tool' && calls.has(String(message.toolCallId))) read.messages.push(readResult(message, at));
  }
  return read;
}

/**
 * Reads the messages that are new to a session: those behind the last one of the request before, or else behind the last answer. The session has the
 * answers and the results of the agent's own tools already. Throws as readWholeThread does.
 */
export function readNewMessages(given: readonly ThreadMessage[], lastMessage: string | undefined): ReadThread {
  const read = emptyThread(given);
  const all = placed(given);
  const isNew = ({ message: { role, toolCallId } }: Placed) =>
    role === 'user' || (role === 'tool' && runOfCallerCall(String(toolCallId)) !== undefined);
  const known = lastMessage === undefined ? -1 : all.findLastIndex(({ message }) => message.id === lastMessage);
  const behindKnown = known === -1 ? [] : all.slice(known + 1).filter(isNew);
  const answered = all.findLastIndex(({ message }) => message.role === 'assistant');
  // Without a new message the client wants another answer to the last message.
  const fresh = behindKnown.length > 0 ? behindKnown : all.slice(answered + 1).filter(isNew);
  for (const { message, at } of fresh)
    read.messages.push(message.role === 'user' ? readUser(message, at, read.images) : readResult(message, at));
  return read;
}

function emptyThread(given: readonly ThreadMessage[]): ReadThread {
  const instructions = placed(given)
    .filter(({ message: { role } }) => role === 'system' || role === 'developer')
    .map(({ message, at }) => textOf(message.content, `${at}/content`))
    .filter(text => text.trim() !== '');
  return { instructions, messages: [], images: [] };
}

function readUser({ content }: ThreadMessage, at: string, images: NamedImage[]): UserMessage {
  const message: UserMessage = { role: 'user', content: '' };
  if (!Array.isArray(content)) return { ...message, content: textOf(content, `${at}/content`) };
  const texts: string[] = [];
  for (const [i, part] of (content as (Fields | null)[]).entries()) {
    const partAt = `${at}/content/${i}`;
    if (part?.['type'] === 'text') texts.push(partText(part, partAt));
    else images.push({ ...readImage(part, partAt), message });
  }
  message.content = texts.join('\n');
  return message;
}

/** `binary` is the form of an image before AG-UI 1.0. */
function readImage(part: Fields | null, at: string): { at: string; url: string } {
  const { type, source } = part ?? {};
  const isBinary = type === 'binary';
  const fields = isBinary ? part : type === 'image' && typeof source === 'object' ? (source as Fields | null) : undefined;
  const { type: kind, value, mimeType } = fields ?? {};
  const data = isBinary ? fields?.['data'] : kind === 'data' ? value : undefined;
  const url = isBinary ? fields?.['url'] : kind === 'url' ? value : undefined;
  const imageAt = isBinary ? at : `${at}/source`;
  if (typeof data === 'string' && typeof mimeType === 'string') return { at: imageAt, url: `data:${mimeType};base64,${data}` };
  if (typeof url === 'string') return { at: imageAt, url };
  throw refusal(
    imageAt,
    'must be text, or an image with a source of the type data or url',
    '必须是文本，或 source 类型为 data 或 url 的图片',
  );
}

function readAssistant({ content, toolCalls }: ThreadMessage, at: string, known: Set<string>): AssistantMessage {
  const text = content === undefined || content === null ? null : textOf(content, `${at}/content`);
  if (toolCalls === undefined || toolCalls === null) return { role: 'assistant', content: text };
  if (!Array.isArray(toolCalls)) throw refusal(`${at}/toolCalls`, 'must be a list', '必须是列表');
  const calls = toolCalls.map((call: unknown, i) => readCall(call, `${at}/toolCalls/${i}`));
  for (const { id } of calls) known.add(id);
  return { role: 'assistant', content: text, tool_calls: calls.length > 0 ? calls : undefined };
}

function readCall(call: unknown, at: string): WireToolCall {
  const { id, function: called } = (typeof call === 'object' && call !== null ? call : {}) as Fields;
  const { name, arguments: text } = (typeof called === 'object' && called !== null ? called : {}) as Fields;
  if (typeof id !== 'string' || id === '' || id.length > 200) throw refusal(`${at}/id`, 'must be the id of the call', '必须是调用的 id');
  if (typeof name !== 'string' || name === '') throw refusal(`${at}/function/name`, 'must be the name of a tool', '必须是工具的名字');
  if (typeof text !== 'string')
    throw refusal(`${at}/function/arguments`, 'must be the arguments as JSON text', '必须是 JSON 文本形式的参数');
  return { id, type: 'function', function: { name, arguments: text } };
}

function readResult({ toolCallId, content }: ThreadMessage, at: string): ToolMessage {
  return { role: 'tool', tool_call_id: String(toolCallId), content: textOf(content, `${at}/content`) };
}

/** Content is a text, or parts with texts. */
function textOf(content: unknown, at: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw refusal(at, 'must be a text or a list of parts', '必须是文本或由部分组成的列表');
  return content.map((part: Fields | null, i) => partText(part, `${at}/${i}`)).join('\n');
}

function partText(part: Fields | null, at: string): string {
  const { type, text } = part ?? {};
  if (type === 'text' && typeof text === 'string') return text;
  throw refusal(at, 'must be a part of the type text', '必须是 text 类型的部分');
}
