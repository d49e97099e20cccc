/** Prepares a request with images for one model: bytes for a model that can see, a line of text in their place for any other. */

import { describeFile, describeImage } from '../../port/describe_image';
import type { ChatMessage, FileReference, ImageReference, LlmRequest } from '../../port/llm';

/** Bytes of all images in one request. Servers refuse larger bodies; the newest images count. */
const MAX_SENT_BYTES = 20 * 1024 * 1024;
/** Images in one request. */
const MAX_SENT = 16;

const BLIND = 'this model cannot see images';
const BLIND_TO_FILES = 'this model cannot read files';

/** Reads the images into the request. Resolves with a request without `readImage`. Rejects as `readImage` does. */
export async function showImages(request: LlmRequest, canSee: boolean): Promise<LlmRequest> {
  const { readImage, ...rest } = request;
  if (!canSee) return { ...rest, messages: rest.messages.map(withoutImages) };
  const images = new Map<string, Uint8Array>();
  for (const { id } of newest(rest.messages)) {
    const bytes = await readImage?.(id);
    if (bytes) images.set(id, bytes);
  }
  return { ...rest, images };
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

function withoutImages(message: ChatMessage): ChatMessage {
  if (attachmentsOf(message).length === 0 || (message.role !== 'user' && message.role !== 'tool')) return message;
  const { images = [], files = [], ...rest } = { files: undefined, ...message };
  const lines = [
    ...images.map((image, i) => describeImage(image, i + 1, BLIND)),
    ...files.map((file, i) => describeFile(file, i + 1, BLIND_TO_FILES)),
  ];
  return { ...rest, content: [message.content, ...lines].join('\n') };
}
