/** Writes a history as messages of Anthropic's API. */
import type Anthropic from '@anthropic-ai/sdk';
import { describeFile, describeImage } from '../../port/describe_image';
import type { AssistantMessage, ChatMessage, LlmRequest, ToolMessage, UserMessage } from '../../port/llm';
import { argumentsOf, blocksOf, SentCallIds } from '../native/answer_blocks';
import { BEGINNING, base64Of, TAKEN_CALL_IDS } from '../native/sent_parts';

type Block = Anthropic.ContentBlockParam;
export interface SentMessage {
  role: 'user' | 'assistant';
  content: Block[];
}

export interface MessageTarget {
  /** The name under which data of the server is stored. */
  server: string;
  model: string;
  images: LlmRequest['images'];
}

export interface ConvertedMessages {
  messages: SentMessage[];
  /** The place in `messages` that the message of the history went to, by its index there. */
  places: number[];
}

/** Messages of the same role in a row become one, because results of tools that ran side by side must stand in one message. */
export function toAnthropicMessages(history: readonly ChatMessage[], target: MessageTarget): ConvertedMessages {
  const ids = new SentCallIds(target.server, TAKEN_CALL_IDS);
  const messages: SentMessage[] = [];
  const places = history.map(message => {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = toBlocks(message, target, ids);
    if (content.length === 0) return messages.length - 1;
    if (messages.length === 0 && role === 'assistant') messages.push({ role: 'user', content: [{ type: 'text', text: BEGINNING }] });
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
    return messages.length - 1;
  });
  return { messages, places };
}

function toBlocks(message: ChatMessage, target: MessageTarget, ids: SentCallIds): Block[] {
  switch (message.role) {
    case 'system':
      return textBlocks(message.content);
    case 'user':
      return userBlocks(message, target);
    case 'assistant':
      return answerBlocks(message, target, ids);
    case 'tool':
      return [toolResult(message, target, ids)];
  }
}

/** The API refuses blank texts. */
const textBlocks = (text: string | null): Anthropic.TextBlockParam[] => (text?.trim() ? [{ type: 'text', text: text.toWellFormed() }] : []);

function userBlocks({ content, images = [], files = [] }: UserMessage, { images: bytes }: MessageTarget): Block[] {
  const sentImages = images.map((image, i) => imageBlock(image, bytes) ?? textBlock(describeImage(image, i + 1, 'no longer sent')));
  const sentFiles = files.map((file, i): Block => {
    const data = base64Of(bytes?.get(file.id));
    if (data === undefined) return textBlock(describeFile(file, i + 1, 'no longer sent'));
    return { type: 'document', source: { type: 'base64', media_type: file.mediaType, data }, title: file.name };
  });
  return [...sentFiles, ...sentImages, ...textBlocks(content)];
}

/**
 * Thoughts go back unchanged to the model that had them; other models and servers would refuse their signatures. Thoughts of an answer that was cut
 * off stay away: the API takes none without a signature, and none at the end of an answer.
 */
function answerBlocks(message: AssistantMessage, { server, model }: MessageTarget, ids: SentCallIds): Block[] {
  const callIds = ids.idsOf(message);
  const read = blocksOf(message, server);
  let call = 0;
  const blocks = read.blocks.flatMap((block): Block[] => {
    if ('own' in block) {
      // A cast: the server wrote the block itself.
      const own = block.own as unknown as Block;
      return read.model === model && !(own.type === 'thinking' && !own.signature) ? [own] : [];
    }
    if ('text' in block) return textBlocks(block.text);
    const id = callIds[call++] ?? block.call.id;
    return [{ type: 'tool_use', id, name: block.call.function.name, input: argumentsOf(block.call) }];
  });
  return blocks.slice(0, blocks.findLastIndex(block => !isThought(block)) + 1);
}

const isThought = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

function toolResult(message: ToolMessage, { images: bytes }: MessageTarget, ids: SentCallIds): Anthropic.ToolResultBlockParam {
  const { content, images = [] } = message;
  const { id } = ids.callOf(message);
  if (images.length === 0) return { type: 'tool_result', tool_use_id: id, content: content.toWellFormed() };
  const shown = images.map((image, i) => imageBlock(image, bytes) ?? textBlock(describeImage(image, i + 1, 'no longer sent')));
  return { type: 'tool_result', tool_use_id: id, content: [...textBlocks(content), ...shown] };
}

const textBlock = (text: string): Anthropic.TextBlockParam => ({ type: 'text', text });

function imageBlock(
  { id, mediaType }: NonNullable<UserMessage['images']>[number],
  bytes: LlmRequest['images'],
): Anthropic.ImageBlockParam | undefined {
  const data = base64Of(bytes?.get(id));
  return data === undefined ? undefined : { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/**
 * Returns true when the running turn has calls without the thoughts that led to them, such as those of another model. A model that thinks for a budget
 * refuses to go on thinking then.
 */
export function lacksThoughts(history: readonly ChatMessage[], { server, model }: MessageTarget): boolean {
  // A message that steers the turn stands behind results of tools, and begins no turn.
  const start = history.findLastIndex(({ role }, i) => role === 'user' && history[i - 1]?.role !== 'tool');
  return history.slice(start + 1).some(message => {
    if (message.role !== 'assistant' || !message.tool_calls?.length) return false;
    const { blocks, model: writer } = blocksOf(message, server);
    return writer !== model || !blocks[0] || !('own' in blocks[0]);
  });
}
