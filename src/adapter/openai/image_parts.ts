/** Encodes a list of messages with images: a message of a person becomes a list of parts, with data URLs. */

import { describeImage } from '../../port/describe_image';
import type { ChatMessage, UserMessage } from '../../port/llm';
import { toJsonBytes } from './json_bytes';

type Images = ReadonlyMap<string, Uint8Array>;

/**
 * Returns the JSON of the messages with a comma before each. It is not kept, because images are large. An image without bytes becomes a line of
 * text.
 */
export function bytesWithImages(messages: readonly ChatMessage[], images: Images): Uint8Array {
  return Buffer.concat(messages.map(message => toJsonBytes(`,${JSON.stringify(toWire(message, images))}`)));
}

const toWire = (message: ChatMessage, images: Images): unknown =>
  message.role === 'user' && message.images ? { role: 'user', content: partsOf(message, images) } : message;

function partsOf({ content, images: references = [] }: UserMessage, images: Images): unknown[] {
  const parts = references.map((reference, i) => {
    const bytes = images.get(reference.id);
    if (!bytes) return { type: 'text', text: describeImage(reference, i + 1, 'no longer sent') };
    const { buffer, byteOffset, byteLength } = bytes;
    const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    return { type: 'image_url', image_url: { url: `data:${reference.mediaType};base64,${base64}` } };
  });
  return [{ type: 'text', text: content }, ...parts];
}
