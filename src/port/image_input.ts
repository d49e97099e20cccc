/** Images and PDF files as requests write them, beside the text of a message. */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional, oneOf } from '../utils/schema_types';
import { type FileReference, IMAGE_MEDIA_TYPES, type ImageMediaType, type ImageReference } from './llm';

/** Images of one message, or of one result of a tool. */
export const MAX_IMAGES = 8;
/** Bytes of one image, and of all images of one message. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export const MAX_ALL_IMAGE_BYTES = 10 * 1024 * 1024;
/** PDF files of one message. */
const MAX_FILES = 8;
/** Bytes of all PDF files that the messages of one request bring to a model. */
export const MAX_ALL_FILE_BYTES = 10 * 1024 * 1024;

const WrittenImage = closedObject({
  mediaType: Optional.OneOf(
    IMAGE_MEDIA_TYPES,
    says('needed beside base64; must be what the bytes are', '与 base64 一起填写；须与实际内容一致'),
  ),
  base64: Optional.String({ minLength: 1, ...says('the bytes of the image', '图片的字节') }),
  path: Optional.String({
    minLength: 1,
    maxLength: 4_096,
    ...says('a file in the workspace, instead of mediaType and base64', '工作区中的文件，代替 mediaType 和 base64'),
  }),
});

export const WrittenImages = Type.Array(WrittenImage, {
  minItems: 1,
  maxItems: MAX_IMAGES,
  ...says(
    'png, jpeg, webp or gif, at most 5 MiB each and 10 MiB together: { mediaType, base64 } or { path }. Over Socket.IO, base64 within the limit of a message. A model that cannot see gets a line of text for each.',
    'png、jpeg、webp 或 gif，每张最大 5 MiB，合计最大 10 MiB：{ mediaType, base64 } 或 { path }。经 Socket.IO 时，base64 不得超过消息的大小限制。不能看图的模型得到的是每张图片的一行文字说明。',
  ),
});
export type WrittenImages = Static<typeof WrittenImages>;

const WrittenFile = closedObject({
  name: Optional.String({ minLength: 1, maxLength: 200, ...says('the name that the model and people see', '模型和用户看到的名称') }),
  mediaType: Type.Optional(
    Type.Literal('application/pdf', says('may stand beside base64; PDF files alone are read', '可以与 base64 一起填写；只支持 PDF 文件')),
  ),
  base64: Optional.String({ minLength: 1, ...says('the bytes of the file', '文件的字节') }),
  path: Optional.String({
    minLength: 1,
    maxLength: 4_096,
    ...says('a file in the workspace, instead of base64', '工作区中的文件，代替 base64'),
  }),
});

export const WrittenFiles = Type.Array(WrittenFile, {
  minItems: 1,
  maxItems: MAX_FILES,
  ...says(
    'PDF files, at most 10 MiB together: { name, base64 } or { path }. Over Socket.IO, base64 within the limit of a message. A model that cannot read files gets the text of each.',
    'PDF 文件，合计最大 10 MiB：{ name, base64 } 或 { path }。经 Socket.IO 时，base64 不得超过消息的大小限制。不能读文件的模型得到的是每个文件的文本。',
  ),
});
export type WrittenFiles = Static<typeof WrittenFiles>;

/** What a message may bring beside its text, as requests write it. */
export interface WrittenAttachments {
  images?: WrittenImages | undefined;
  files?: WrittenFiles | undefined;
}

/** A stored image, as readers see it. */
export const ImageReferenceData = closedObject({
  id: Type.String(),
  mediaType: oneOf(IMAGE_MEDIA_TYPES),
  bytes: Type.Integer(says('size of the image', '图片大小')),
});

/** A stored PDF file, as readers see it. */
export const FileReferenceData = closedObject({
  id: Type.String(),
  mediaType: Type.Literal('application/pdf'),
  bytes: Type.Integer(says('size of the file', '文件大小')),
  name: Optional.String(),
});

/** Returns the type that the first bytes tell; undefined for bytes that are no such image. */
export function imageTypeOf(bytes: Uint8Array): ImageMediaType | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  return undefined;
}

/** An image that was read and checked, with the id under which it will be stored. */
export interface ImageInput {
  id: string;
  mediaType: ImageMediaType;
  bytes: Uint8Array;
}

/** A PDF file that was read and checked, with the id under which it will be stored among the images. */
export interface FileInput extends Pick<FileReference, 'id' | 'mediaType' | 'name' | 'text'> {
  bytes: Uint8Array;
}

/** Images and files of a message that were read and checked. */
export interface Attachments {
  images?: readonly ImageInput[] | undefined;
  files?: readonly FileInput[] | undefined;
}

/** Returns the reference without the text of the file, which may be long: readers see this one. */
export const toShownFile = ({ id, mediaType, bytes, name }: FileReference): FileReference => ({ id, mediaType, bytes, name });

/** Returns the reference that a message holds. */
export const toFileReference = ({ bytes, ...file }: FileInput): FileReference => ({ ...file, bytes: bytes.length });

/** Returns the reference under which readers see the image. */
export const toReference = ({ id, mediaType, bytes }: ImageInput): ImageReference => ({ id, mediaType, bytes: bytes.length });
