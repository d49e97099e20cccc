/** Writes a history as contents of the Gemini API. */
import type { Content, FunctionResponse, Part } from '@google/genai';
import { describeFile, describeImage } from '../../port/describe_image';
import type { AssistantMessage, ChatMessage, ImageReference, LlmRequest, ToolMessage, UserMessage } from '../../port/llm';
import { argumentsOf, blocksOf, SentCallIds } from '../native/answer_blocks';
import { BEGINNING, base64Of, TAKEN_CALL_IDS } from '../native/sent_parts';
import { geminiTraits } from './gemini_models';

export interface ContentTarget {
  /** The name under which data of the server is stored. */
  server: string;
  model: string;
  images: LlmRequest['images'];
}

interface SentContent extends Content {
  role: 'user' | 'model';
  parts: Part[];
}

/** Takes the place of a signature that another model did not give (ai.google.dev, "Thought signatures"). */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Messages of the same role in a row become one: results of tools that ran side by side must stand in one content. */
export function toGoogleContents(history: readonly ChatMessage[], target: ContentTarget): Content[] {
  const ids = new SentCallIds(target.server, TAKEN_CALL_IDS);
  const contents: SentContent[] = [];
  for (const message of history) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = toParts(message, target, ids);
    if (parts.length === 0) continue;
    if (contents.length === 0 && role === 'model') contents.push({ role: 'user', parts: [{ text: BEGINNING }] });
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents;
}

function toParts(message: ChatMessage, target: ContentTarget, ids: SentCallIds): Part[] {
  switch (message.role) {
    case 'system':
      return textParts(message.content);
    case 'user':
      return userParts(message, target);
    case 'assistant':
      return answerParts(message, target, ids);
    case 'tool':
      return [{ functionResponse: toFunctionResponse(message, target, ids) }];
  }
}

/** The API refuses a part without text. */
const textParts = (text: string | null): Part[] => (text?.trim() ? [{ text: text.toWellFormed() }] : []);

/** The API has no field for the name of a file, so a line says it. */
function userParts({ content, images = [], files = [] }: UserMessage, { images: bytes }: ContentTarget): Part[] {
  const sentFiles = files.flatMap((file, i): Part[] => {
    const data = base64Of(bytes?.get(file.id));
    if (data === undefined) return [{ text: describeFile(file, i + 1, 'no longer sent') }];
    return [{ text: describeFile(file, i + 1) }, { inlineData: { mimeType: file.mediaType, data } }];
  });
  const sentImages = images.map((image, i) => imagePart(image, bytes) ?? { text: describeImage(image, i + 1, 'no longer sent') });
  return [...sentFiles, ...sentImages, ...textParts(content)];
}

/** Thoughts and signatures go back unchanged, on their parts, to the model that gave them. */
function answerParts(message: AssistantMessage, { server, model }: ContentTarget, ids: SentCallIds): Part[] {
  const callIds = ids.idsOf(message);
  const read = blocksOf(message, server);
  const isOwn = read.model === model;
  let call = 0;
  return read.blocks.flatMap((block): Part[] => {
    // A cast: the server wrote the part itself.
    if ('own' in block) return isOwn ? [block.own as Part] : [];
    const fields = isOwn ? block.fields : undefined;
    if ('text' in block) return textParts(block.text).map(part => ({ ...part, ...fields }));
    const isFirst = call === 0;
    const id = callIds[call++] ?? block.call.id;
    const substitute = isFirst && geminiTraits(model).needsSignatures ? { thoughtSignature: NO_SIGNATURE } : {};
    return [{ functionCall: { id, name: block.call.function.name, args: argumentsOf(block.call) }, ...substitute, ...fields }];
  });
}

function toFunctionResponse(message: ToolMessage, { model, images: bytes }: ContentTarget, ids: SentCallIds): FunctionResponse {
  const { content, images = [] } = message;
  const { id, name } = ids.callOf(message);
  const hasImages = geminiTraits(model).hasResultImages;
  const shown = images.map(image => (hasImages ? imagePart(image, bytes) : undefined));
  const missing = images.flatMap((image, i) => (shown[i] ? [] : describeImage(image, i + 1, hasImages ? 'no longer sent' : 'not shown')));
  const output = [content.toWellFormed(), ...missing].join('\n');
  const parts = shown.filter(part => part !== undefined);
  return { id, name, response: { output }, ...(parts.length > 0 && { parts }) };
}

function imagePart({ id, mediaType }: ImageReference, bytes: LlmRequest['images']): Pick<Part, 'inlineData'> | undefined {
  const data = base64Of(bytes?.get(id));
  return data === undefined ? undefined : { inlineData: { mimeType: mediaType, data } };
}
