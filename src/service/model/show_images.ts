/** Prepares a request with images and files for one model: bytes for a model that takes them, text in their place for any other. */

import { describeFile, describeImage } from '../../port/describe_image';
import type { ChatMessage, FileReference, ImageReference, LlmRequest } from '../../port/llm';
import type { ModelDefinition } from '../../port/model_client';

/** Bytes of all images and files in one request. Servers refuse larger bodies; the newest ones count. */
const MAX_SENT_BYTES = 20 * 1024 * 1024;
/** Images and files in one request. */
const MAX_SENT = 16;

const BLIND = 'this model cannot see images';
const BLIND_TO_FILES = 'this model cannot read files';

/** What a model takes beside text. */
type Taken = Pick<ModelDefinition, 'images' | 'files'>;

/** Reads what the model takes into the request. Resolves with a request without `readImage`. Rejects as `readImage` does. */
export async function showImages(request: LlmRequest, taken: Taken): Promise<LlmRequest> {
  const { readImage, ...rest } = request;
  const messages = rest.messages.map(message => withTexts(message, taken));
  if (!taken.images && !taken.files) return { ...rest, messages };
  const images = new Map<string, Uint8Array>();
  for (const { id } of newest(messages)) {
    const bytes = await readImage?.(id);
    if (bytes) images.set(id, bytes);
  }
  return { ...rest, messages, images };
}

function attachmentsOf(message: ChatMessage): (ImageReference | FileReference)[] {
  if (message.role === 'user') return [...(message.images ?? []), ...(message.files ?? [])];
  return message.role === 'tool' ? [...(message.images ?? [])] : [];
}

function newest(messages: readonly ChatMessage[]): (ImageReference | FileReference)[] {
  const all = messages.flatMap(attachmentsOf).toReversed();
  let bytes = 0;
  const cut = all.findIndex((image, i) => {
    bytes += image.bytes;
    return i >= MAX_SENT || bytes > MAX_SENT_BYTES;
  });
  return cut === -1 ? all : all.slice(0, cut);
}

/** Puts a text in the place of everything that the model does not take. A message that has nothing of that kind stays the same object. */
function withTexts(message: ChatMessage, taken: Taken): ChatMessage {
  if (message.role !== 'user' && message.role !== 'tool') return message;
  const images = taken.images ? [] : (message.images ?? []);
  const files = taken.files || message.role === 'tool' ? [] : (message.files ?? []);
  if (images.length === 0 && files.length === 0) return message;
  const lines = [...images.map((image, i) => describeImage(image, i + 1, BLIND)), ...files.map(textOfFile)];
  const { images: _images, ...others } = message;
  const { files: _files, ...rest } = { files: undefined, ...others };
  return {
    ...rest,
    ...(taken.images && message.images && { images: message.images }),
    ...(taken.files && message.role === 'user' && message.files && { files: message.files }),
    content: [message.content, ...lines].join('\n'),
  } as ChatMessage;
}

function textOfFile(file: FileReference, i: number): string {
  if (file.text === undefined) return describeFile(file, i + 1, BLIND_TO_FILES);
  return `${describeFile(file, i + 1, 'its text follows')}\n${file.text}`;
}
