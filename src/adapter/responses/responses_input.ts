/** Writes a history as input items of the Responses API. */
import type { OpenAI } from 'openai';
import { describeFile, describeImage } from '../../port/describe_image';
import type { AssistantMessage, ChatMessage, ImageReference, LlmRequest, ToolMessage, UserMessage } from '../../port/llm';
import { blocksOf, SentCallIds } from '../native/answer_blocks';
import { TAKEN_CALL_IDS } from '../native/sent_parts';
import { dataUrlOf } from '../openai/chat_request';

type Item = OpenAI.Responses.ResponseInputItem;
type InputPart = OpenAI.Responses.ResponseInputContent;
type Fields = Readonly<Record<string, unknown>>;

export interface InputTarget {
  /** The name under which data of the server is stored. */
  server: string;
  model: string;
  images: LlmRequest['images'];
}

const NO_IMAGES: ReadonlyMap<string, Uint8Array> = new Map();

/** The items of a message depend on this message and the calls before it alone, so a longer history begins with the items of the shorter one. */
export function toResponsesInput(history: readonly ChatMessage[], target: InputTarget): Item[] {
  const ids = new SentCallIds(target.server, TAKEN_CALL_IDS);
  return history.flatMap(message => toItems(message, target, ids));
}

function toItems(message: ChatMessage, target: InputTarget, ids: SentCallIds): Item[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'developer', content: message.content.toWellFormed() }];
    case 'user':
      return [{ type: 'message', role: 'user', content: userContent(message, target) }];
    case 'assistant':
      return answerItems(message, target, ids);
    case 'tool':
      return [{ type: 'function_call_output', call_id: ids.callOf(message).id, output: toolOutput(message, target) }];
  }
}

function userContent({ content, images = [], files = [] }: UserMessage, { images: bytes = NO_IMAGES }: InputTarget): string | InputPart[] {
  if (images.length === 0 && files.length === 0) return content.toWellFormed();
  const sentFiles = files.map((file, i): InputPart => {
    const url = dataUrlOf(file, bytes);
    if (url === undefined) return textPart(describeFile(file, i + 1, 'no longer sent'));
    return { type: 'input_file', filename: file.name ?? `${i + 1}.pdf`, file_data: url };
  });
  return [...sentFiles, ...imageParts(images, bytes), ...textParts(content)];
}

function toolOutput({ content, images = [] }: ToolMessage, { images: bytes = NO_IMAGES }: InputTarget) {
  return images.length === 0 ? content.toWellFormed() : [...textParts(content), ...imageParts(images, bytes)];
}

const imageParts = (images: readonly ImageReference[], bytes: ReadonlyMap<string, Uint8Array>) =>
  images.map((image, i) => {
    const url = dataUrlOf(image, bytes);
    if (url === undefined) return textPart(describeImage(image, i + 1, 'no longer sent'));
    return { type: 'input_image' as const, detail: 'auto' as const, image_url: url };
  });

const textPart = (text: string) => ({ type: 'input_text' as const, text: text.toWellFormed() });
const textParts = (text: string) => (text === '' ? [] : [textPart(text)]);

/**
 * Reasoning items and ids of items go back to the model that wrote them. Another model of the same server cannot decrypt the reasoning, and the server
 * refuses an item by its id when the reasoning in front of that item is missing.
 */
function answerItems(message: AssistantMessage, { server, model }: InputTarget, ids: SentCallIds): Item[] {
  const callIds = ids.idsOf(message);
  const read = blocksOf(message, server);
  const isOwn = read.model === model;
  let call = 0;
  const items = read.blocks.flatMap((block): Item[] => {
    if ('own' in block) return isOwn && isReadable(block.own) ? [block.own as unknown as Item] : [];
    const fields = isOwn ? block.fields : undefined;
    if ('text' in block) return block.text === '' ? [] : [answerText(block.text, fields)];
    const { name, arguments: args } = block.call.function;
    const callId = callIds[call++] ?? block.call.id;
    return [{ type: 'function_call', call_id: callId, name, arguments: args, ...fields }];
  });
  // The server refuses reasoning without the item that followed it, such as that of an answer which a limit cut off.
  return items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
}

/** Without `encrypted_content` the server looks for a stored item, and stores none. Servers with open models send the reasoning as text. */
const isReadable = ({ encrypted_content: sealed, content }: Fields): boolean =>
  Boolean(sealed) || (Array.isArray(content) && content.length > 0);

function answerText(text: string, fields: Fields | undefined): Item {
  const written = text.toWellFormed();
  const { id, ...others } = fields ?? {};
  if (typeof id !== 'string') return { type: 'message', role: 'assistant', content: written, ...others };
  const content = [{ type: 'output_text' as const, text: written, annotations: [] }];
  return { type: 'message', id, role: 'assistant', status: 'completed', content, ...others };
}
