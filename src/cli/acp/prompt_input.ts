/** Reads the prompt of an editor: a text with the images beside it. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { acpSdk } from './acp_sdk';

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
type Image = { mediaType: (typeof IMAGE_TYPES)[number]; base64: string };

export interface PromptInput {
  text: string;
  images: Image[];
}

/** Stands for the text of a prompt that has images only. */
const IMAGES_ONLY = 'See the images.';

/** Throws an error of the protocol for content that the gateway cannot take. */
export function readPrompt(blocks: readonly ContentBlock[]): PromptInput {
  const parts = blocks.map(readBlock);
  const images = parts.flatMap(part => (typeof part === 'string' ? [] : [part]));
  const text = parts
    .filter(part => typeof part === 'string')
    .join('\n')
    .trim();
  if (text === '' && images.length === 0) throw acpSdk().RequestError.invalidParams(undefined, 'The prompt is empty.');
  return { text: text || IMAGES_ONLY, images };
}

function readBlock(block: ContentBlock): string | Image {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return readImage(block.mimeType, block.data);
    case 'resource_link':
      return `[${block.title ?? block.name}](${block.uri})`;
    case 'resource':
      return readResource(block.resource);
    case 'audio':
      throw refused(block.mimeType);
  }
}

function readResource(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): string | Image {
  if ('text' in resource) return `<resource uri=${JSON.stringify(resource.uri)}>\n${resource.text}\n</resource>`;
  return readImage(resource.mimeType ?? '', resource.blob);
}

function readImage(type: string, base64: string): Image {
  const mediaType = IMAGE_TYPES.find(known => known === type);
  if (!mediaType) throw refused(type);
  return { mediaType, base64 };
}

const refused = (type: string): Error =>
  acpSdk().RequestError.invalidParams(
    { mimeType: type },
    `A prompt takes text and ${IMAGE_TYPES.join(', ')}; this content is ${type || 'of no named type'}.`,
  );
