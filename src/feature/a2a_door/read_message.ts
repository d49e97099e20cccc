/** Messages of A2A clients: their parts become the text and the images of a run. */
import type { Message, Part } from '@a2a-js/sdk';
import type { WrittenImages } from '../../port/image_input';
import { IMAGE_MEDIA_TYPES, type ImageMediaType } from '../../port/llm';
import { hasVisibleText } from '../../wire/not_blank';
import { a2aSdk } from './a2a_sdk';

export interface ReadMessage {
  text: string;
  images?: WrittenImages;
}

/** The longest message, in UTF-16 units: the same as over REST. */
const MAX_UNITS = 200_000;

/** Texts stand as they are, data as JSON, addresses of files by name. Throws errors of A2A for a message without a text and for other files. */
export function readMessage({ parts }: Pick<Message, 'parts'>): ReadMessage {
  const { RequestMalformedError } = a2aSdk();
  const texts = parts.flatMap(part => textOf(part) ?? []);
  const images = parts.flatMap(part => imageOf(part) ?? []);
  const text = texts.join('\n\n');
  if (!hasVisibleText(text)) throw new RequestMalformedError('message.parts: a part with a text is needed.');
  if (text.length > MAX_UNITS) throw new RequestMalformedError(`message.parts: at most ${MAX_UNITS} characters are read.`);
  return { text, images: images.length > 0 ? images : undefined };
}

function textOf({ content, mediaType, filename }: Part): string | undefined {
  switch (content?.$case) {
    case 'text':
      return content.value.toWellFormed();
    case 'data':
      return JSON.stringify(content.value).toWellFormed();
    case 'url':
      return `${filename || 'file'}: ${content.value}`.toWellFormed();
    case 'raw':
      if (isImage(mediaType)) return undefined;
      if (!/^text\/|^application\/json$/i.test(mediaType)) throw notSupported(mediaType);
      return `${filename || 'file'}:\n${content.value.toString('utf8')}`.toWellFormed();
    default:
      return undefined;
  }
}

function imageOf({ content, mediaType }: Part): WrittenImages[number] | undefined {
  if (content?.$case !== 'raw' || !isImage(mediaType)) return undefined;
  return { mediaType, base64: content.value.toString('base64') };
}

const isImage = (mediaType: string): mediaType is ImageMediaType => (IMAGE_MEDIA_TYPES as readonly string[]).includes(mediaType);

const notSupported = (mediaType: string): Error =>
  new (a2aSdk().ContentTypeNotSupportedError)(
    `A file of the type ${JSON.stringify(mediaType.slice(0, 80))} cannot be read: send texts or images.`,
  );
