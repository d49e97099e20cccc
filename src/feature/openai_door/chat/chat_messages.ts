/**
 * Reads the messages of a chat completions request. Unknown fields of a message are ignored, because clients send back fields that servers sent them.
 */
import type { ReadMessages } from '../../../controller/model_door/given_run';
import type { AssistantMessage, ToolMessage, UserMessage, WireToolCall } from '../../../port/llm';
import type { NamedUrl } from '../../../service/image/image_service';
import { refusal } from '../../../wire/refusal';
import { OldCalls } from './old_functions';

type Fields = Record<string, unknown>;

const MAX_CALL_ID_UNITS = 200;

/** Throws `invalid_request` with the pointer of the field. A result of a call needs the call before it, unless `isTail`. */
export function readMessages(given: readonly Fields[], { isTail }: { isTail: boolean }): ReadMessages {
  const instructions: string[] = [];
  const read: ReadMessages = { messages: [], images: [] };
  const calls = new Set<string>();
  const oldCalls = new OldCalls();
  for (const [i, message] of given.entries()) {
    const at = `/messages/${i}`;
    const { role } = message;
    if (role === 'system' || role === 'developer') instructions.push(textOf(message['content'], `${at}/content`));
    else if (role === 'user') read.messages.push(readUser(message, at, read));
    else if (role === 'assistant') read.messages.push(readAssistant(withCalls(message, i, oldCalls), at, calls));
    else if (role === 'tool') read.messages.push(readResult(message, at, isTail ? undefined : calls));
    else if (role === 'function') read.messages.push(readOldResult(message, at, oldCalls));
    else
      throw refusal(
        `${at}/role`,
        'must be one of system, developer, user, assistant, tool, function',
        '必须是 system、developer、user、assistant、tool、function 之一',
      );
  }
  const text = instructions.filter(part => part !== '').join('\n\n');
  return { ...read, instructions: text || read.instructions };
}

function readUser({ content }: Fields, at: string, read: ReadMessages): UserMessage {
  if (!Array.isArray(content)) return { role: 'user', content: textOf(content, `${at}/content`) };
  const message: UserMessage = { role: 'user', content: '' };
  const texts: string[] = [];
  for (const [i, part] of (content as (Fields | null)[]).entries()) {
    const partAt = `${at}/content/${i}`;
    if (part?.['type'] === 'image_url') read.images.push({ at: `${partAt}/image_url/url`, url: imageUrl(part, partAt), message });
    else if (part?.['type'] === 'file') read.images.push({ ...namedFile(part, partAt), message });
    else texts.push(partText(part, partAt, ['text', 'image_url', 'file']));
  }
  message.content = texts.join('\n');
  return message;
}

function imageUrl({ image_url: image }: Fields, at: string): string {
  const url = typeof image === 'object' && image !== null ? (image as Fields)['url'] : image;
  if (typeof url === 'string') return url;
  throw refusal(`${at}/image_url/url`, 'must be a data URL or an https address', '必须是 data URL 或 https 地址');
}

/** A file has one of file_data and file_id. */
function namedFile({ file }: Fields, at: string): NamedUrl {
  const { file_data: data, file_id: id, filename } = (typeof file === 'object' && file !== null ? file : {}) as Fields;
  const name = typeof filename === 'string' && filename !== '' ? filename : undefined;
  if (typeof id === 'string' && id !== '' && typeof data !== 'string')
    return { at: `${at}/file/file_id`, url: `file_id:${id}`, fileId: id, file: { name } };
  if (typeof data !== 'string' || typeof id === 'string')
    throw refusal(
      `${at}/file/file_data`,
      'must be the base64 of a PDF file or its data URL, or file_id must name an uploaded file instead',
      '必须是 PDF 文件的 base64 或 data URL，或改用 file_id 指明已上传的文件',
    );
  const url = data.startsWith('data:') ? data : `data:application/pdf;base64,${data}`;
  return { at: `${at}/file/file_data`, url, file: { name } };
}

/** Clients that know both forms send back both fields. */
function withCalls({ function_call: old, ...message }: Fields, index: number, oldCalls: OldCalls): Fields {
  const hasCalls = Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0;
  return old === undefined || old === null || hasCalls ? message : { ...message, tool_calls: [oldCalls.addCall(old, index)] };
}

function readAssistant({ content, tool_calls: calls }: Fields, at: string, known: Set<string>): AssistantMessage {
  const text = content === undefined || content === null ? null : textOf(content, `${at}/content`);
  if (calls === undefined || calls === null) return { role: 'assistant', content: text };
  if (!Array.isArray(calls)) throw refusal(`${at}/tool_calls`, 'must be a list', '必须是列表');
  const read = calls.map((call: unknown, i) => readCall(call, `${at}/tool_calls/${i}`));
  for (const { id } of read) known.add(id);
  return { role: 'assistant', content: text, tool_calls: read.length > 0 ? read : undefined };
}

function readCall(call: unknown, at: string): WireToolCall {
  const { id, function: called } = (typeof call === 'object' && call !== null ? call : {}) as Fields;
  const { name, arguments: text } = (typeof called === 'object' && called !== null ? called : {}) as Fields;
  if (typeof id !== 'string' || id === '' || id.length > MAX_CALL_ID_UNITS)
    throw refusal(`${at}/id`, 'must be the id of the call', '必须是调用的 id');
  if (typeof name !== 'string' || name === '') throw refusal(`${at}/function/name`, 'must be the name of a function', '必须是函数的名字');
  if (typeof text !== 'string')
    throw refusal(`${at}/function/arguments`, 'must be the arguments as JSON text', '必须是 JSON 文本形式的参数');
  return { id, type: 'function', function: { name, arguments: text } };
}

function readResult({ tool_call_id: id, content }: Fields, at: string, calls: ReadonlySet<string> | undefined): ToolMessage {
  if (typeof id !== 'string' || id === '')
    throw refusal(`${at}/tool_call_id`, 'must be the id of the call that this message answers', '必须是此消息所回答的调用的 id');
  if (calls && !calls.has(id)) throw refusal(`${at}/tool_call_id`, 'names no call of the messages before', '前面的消息中没有这个调用');
  return { role: 'tool', tool_call_id: id, content: textOf(content, `${at}/content`) };
}

function readOldResult({ name, content }: Fields, at: string, oldCalls: OldCalls): ToolMessage {
  const id = oldCalls.takeResult(name);
  if (id === undefined) throw refusal(`${at}/name`, 'names no function call of the messages before', '前面的消息中没有对这个函数的调用');
  return { role: 'tool', tool_call_id: id, content: textOf(content, `${at}/content`) };
}

/** Content is a text, or parts with texts. */
function textOf(content: unknown, at: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw refusal(at, 'must be a text or a list of parts', '必须是文本或由部分组成的列表');
  return content.map((part: Fields | null, i) => partText(part, `${at}/${i}`, ['text'])).join('\n');
}

function partText(part: Fields | null, at: string, allowed: readonly string[]): string {
  const type = part?.['type'];
  const text = type === 'refusal' ? part?.['refusal'] : part?.['text'];
  if ((type === 'text' || type === 'refusal') && typeof text === 'string') return text;
  if (type === 'text') throw refusal(`${at}/text`, 'must be a text', '必须是文本');
  throw refusal(`${at}/type`, `must be ${allowed.join(' or ')}`, `必须是 ${allowed.join(' 或 ')}`);
}
