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

const MAX_NAME_UNITS = 200;

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
    else images.push({ ...readAttachment(part, partAt), message });
  }
  message.content = texts.join('\n');
  return message;
}

/** Reads a part with an image or a PDF file. `binary` is the form of both before AG-UI 1.0. */
function readAttachment(part: Fields | null, at: string): Omit<NamedImage, 'message'> {
  const { type, source, metadata } = part ?? {};
  if (type === 'binary') return readBinary(part ?? {}, at);
  const { type: kind, value, mimeType } = objectOf(source);
  const file = type === 'document' ? { name: nameOf(objectOf(metadata)) } : undefined;
  const named = { at: `${at}/source`, file };
  if (type === 'image' || type === 'document') {
    if (kind === 'data' && typeof value === 'string' && typeof mimeType === 'string')
      return { ...named, url: `data:${mimeType};base64,${value}` };
    if (kind === 'url' && typeof value === 'string') return { ...named, url: value };
  }
  throw refusal(
    named.at,
    'must be text, or an image or a document (a PDF file) with a source of the type data or url',
    '必须是文本，或 source 类型为 data 或 url 的图片或文档（PDF 文件）',
  );
}

function readBinary(part: Fields, at: string): Omit<NamedImage, 'message'> {
  const { data, url, mimeType } = part;
  const file = mimeType === 'application/pdf' ? { name: nameOf(part) } : undefined;
  if (typeof data === 'string' && typeof mimeType === 'string') return { at, url: `data:${mimeType};base64,${data}`, file };
  if (typeof url === 'string') return { at, url, file };
  throw refusal(at, 'must have data with its mimeType, or url', '必须有 data 和 mimeType，或者 url');
}

const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const nameOf = ({ filename, name = filename }: Fields): string | undefined =>
  typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME_UNITS) : undefined;

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
