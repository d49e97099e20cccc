/** Messages of A2A clients: their parts become the text, the images and the PDF files of a run. */
import type { Message, Part } from '@a2a-js/sdk';
import { IMAGE_MEDIA_TYPES } from '../../port/llm';
import type { NamedAttachments, NamedUrl } from '../../service/image/image_service';
import { hasVisibleText } from '../../wire/not_blank';
import { a2aSdk } from './a2a_sdk';

export interface ReadMessage {
  text: string;
  attached: NamedAttachments;
}

/** The longest message, in UTF-16 units: the same as over REST. */
const MAX_UNITS = 200_000;

/**
 * Texts stand as they are, data as JSON, addresses of other files by name. Images and PDF files are named by URL, their bytes by data URL. Throws
 * errors of A2A for a message without a text and for bytes of other files.
 */
export function readMessage({ parts }: Pick<Message, 'parts'>): ReadMessage {
  const { RequestMalformedError } = a2aSdk();
  const texts = parts.flatMap(part => textOf(part) ?? []);
  const named = parts.flatMap((part, i) => attachmentOf(part, `/message/parts/${i}`) ?? []);
  const text = texts.join('\n\n');
  if (!hasVisibleText(text)) throw new RequestMalformedError('message.parts: a part with a text is needed.');
  if (text.length > MAX_UNITS) throw new RequestMalformedError(`message.parts: at most ${MAX_UNITS} characters are read.`);
  return { text, attached: { images: named.filter(({ file }) => !file), files: named.filter(({ file }) => file) } };
}

function textOf(part: Part): string | undefined {
  const { content, mediaType, filename } = part;
  if (isAttachment(part)) return undefined;
  switch (content?.$case) {
    case 'text':
      return content.value.toWellFormed();
    case 'data':
      return JSON.stringify(content.value).toWellFormed();
    case 'url':
      return `${filename || 'file'}: ${content.value}`.toWellFormed();
    case 'raw':
      if (!/^text\/|^application\/json$/i.test(mediaType)) throw notSupported(mediaType);
      return `${filename || 'file'}:\n${content.value.toString('utf8')}`.toWellFormed();
    default:
      return undefined;
  }
}

/** Names an image or a PDF file. A client that sends an address says what the address has by its media type. */
function attachmentOf(part: Part, at: string): NamedUrl | undefined {
  const { content, mediaType, filename } = part;
  if (!isAttachment(part)) return undefined;
  const url = content?.$case === 'raw' ? `data:${mediaType};base64,${content.value.toString('base64')}` : String(content?.value);
  return { at, url, file: isPdf(mediaType) ? { name: filename || undefined } : undefined };
}

const isAttachment = ({ content, mediaType }: Part): boolean =>
  (content?.$case === 'raw' || content?.$case === 'url') && (isImage(mediaType) || isPdf(mediaType));

const isImage = (mediaType: string): boolean => (IMAGE_MEDIA_TYPES as readonly string[]).includes(mediaType.toLowerCase());
const isPdf = (mediaType: string): boolean => mediaType.toLowerCase() === 'application/pdf';

const notSupported = (mediaType: string): Error =>
  new (a2aSdk().ContentTypeNotSupportedError)(
    `A file of the type ${JSON.stringify(mediaType.slice(0, 80))} cannot be read: send texts, images or PDF files.`,
  );
