/**
 * Reads the messages and the system prompt of a Messages request. Breakpoints of prompt caches and thoughts that another answer brought are left
 * out: the gateway sets its own breakpoints, and a thought belongs to the server that signed it.
 */
import type { ReadMessages } from '../../controller/model_door/given_run';
import type { AssistantMessage, UserMessage, WireToolCall } from '../../port/llm';
import { refusal } from '../../wire/refusal';
import { type Fields, fieldsOf, imageUrlOf, isBlock, pdfOf, textOf, textOfBlock } from './content_block';
import type { GivenMessage, TokenCountRequest } from './message_request_schema';

const MAX_CALL_ID_UNITS = 200;
const INSTRUCTIONS = { system: true, developer: true } as const;

/** Throws `invalid_request` with the pointer of the field. A result of a call needs the call before it, unless `isTail`. */
export function readConversation(
  { system, messages }: Pick<TokenCountRequest, 'system' | 'messages'>,
  { isTail }: { isTail: boolean },
): ReadMessages {
  const read: ReadMessages = { messages: [], images: [] };
  const instructions = system === undefined ? [] : [textOf(system, '/system')];
  const calls = isTail ? undefined : new Set<string>();
  for (const [i, message] of messages.entries()) {
    const at = `/messages/${i}`;
    if (message.role === 'user') readUser(message, `${at}/content`, read, calls);
    else if (message.role === 'assistant') read.messages.push(readAssistant(message, `${at}/content`, calls));
    else if (Object.hasOwn(INSTRUCTIONS, message.role)) instructions.push(textOf(message.content, `${at}/content`));
    else throw refusal(`${at}/role`, 'must be user, assistant or system', '必须是 user、assistant 或 system');
  }
  const text = instructions.filter(part => part.trim() !== '').join('\n\n');
  return { ...read, instructions: text || undefined };
}

/** A message of a user becomes the results in it, and then a message with its texts and all its images and files. */
function readUser({ content }: GivenMessage, at: string, read: ReadMessages, calls: ReadonlySet<string> | undefined): void {
  const message: UserMessage = { role: 'user', content: '' };
  if (!Array.isArray(content)) {
    read.messages.push({ ...message, content: textOf(content, at) });
    return;
  }
  const texts: string[] = [];
  const imagesBefore = read.images.length;
  let results = 0;
  for (const [i, block] of content.entries()) {
    const blockAt = `${at}/${i}`;
    const pdf = isBlock(block, 'document') ? pdfOf(block, blockAt) : undefined;
    if (isBlock(block, 'tool_result')) {
      readResult(block, blockAt, { read, calls, message });
      results += 1;
    } else if (isBlock(block, 'image')) read.images.push({ ...imageUrlOf(block, blockAt), message });
    else if (pdf) read.images.push({ ...pdf, message });
    else texts.push(textOfBlock(block, blockAt, ['text', 'image', 'document', 'search_result', 'tool_result']));
  }
  const images = read.images.length - imagesBefore;
  if (texts.length === 0 && images === 0 && results > 0) return;
  if (texts.length === 0 && images === 0) throw refusal(at, 'must not be empty', '不能为空');
  message.content = texts.join('\n');
  read.messages.push(message);
}

interface ResultPlace {
  read: ReadMessages;
  calls: ReadonlySet<string> | undefined;
  /** The message that follows the results: a model sees the images of a result there. */
  message: UserMessage;
}

function readResult(block: Fields, at: string, { read, calls, message }: ResultPlace): void {
  const { tool_use_id: id, content, is_error: isError } = block;
  if (typeof id !== 'string' || id === '')
    throw refusal(`${at}/tool_use_id`, 'must be the id of the call that this block answers', '必须是此内容块所回答的调用的 id');
  if (calls && !calls.has(id)) throw refusal(`${at}/tool_use_id`, 'names no call of the messages before', '前面的消息中没有这个调用');
  const texts: string[] = [];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  for (const [i, part] of parts.entries()) {
    const partAt = `${at}/content/${i}`;
    const pdf = isBlock(part, 'document') ? pdfOf(part, partAt) : undefined;
    if (pdf) {
      read.images.push({ ...pdf, message });
      texts.push('[file: see the next message]');
    } else if (isBlock(part, 'image')) {
      read.images.push({ ...imageUrlOf(part, partAt), message });
      texts.push('[image: see the next message]');
    } else texts.push(textOfBlock(part, partAt, ['text', 'image', 'document', 'search_result']));
  }
  if (content !== undefined && content !== null && !Array.isArray(content)) texts.push(textOf(content, `${at}/content`));
  const text = texts.join('\n');
  read.messages.push({ role: 'tool', tool_call_id: id, content: isError === true ? `Error: ${text}` : text });
}

/** Blocks of other types are thoughts and calls of another server, which mean nothing here. */
function readAssistant({ content }: GivenMessage, at: string, calls: Set<string> | undefined): AssistantMessage {
  if (!Array.isArray(content)) return { role: 'assistant', content: textOf(content, at) };
  const texts: string[] = [];
  const read: WireToolCall[] = [];
  for (const [i, block] of content.entries()) {
    const blockAt = `${at}/${i}`;
    if (isBlock(block, 'text')) texts.push(textOfBlock(block, blockAt, ['text']));
    else if (isBlock(block, 'tool_use')) read.push(readCall(block, blockAt));
    else if (typeof fieldsOf(block)['type'] !== 'string')
      throw refusal(`${blockAt}/type`, 'must be text or tool_use', '必须是 text 或 tool_use');
  }
  for (const { id } of read) calls?.add(id);
  return { role: 'assistant', content: texts.length > 0 ? texts.join('\n\n') : null, tool_calls: read.length > 0 ? read : undefined };
}

function readCall({ id, name, input }: Fields, at: string): WireToolCall {
  if (typeof id !== 'string' || id === '' || id.length > MAX_CALL_ID_UNITS)
    throw refusal(`${at}/id`, 'must be the id of the call', '必须是调用的 id');
  if (typeof name !== 'string' || name === '') throw refusal(`${at}/name`, 'must be the name of a tool', '必须是工具的名字');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw refusal(`${at}/input`, 'must be an object', '必须是对象');
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
