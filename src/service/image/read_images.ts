/** Reads and checks the images of a request. Every refusal names the field. */
import { AppError, type ErrorCode } from '../../errors';
import { type ImageInput, imageTypeOf, MAX_ALL_IMAGE_BYTES, MAX_IMAGE_BYTES, type WrittenImages } from '../../port/image_input';
import type { ImageMediaType } from '../../port/llm';
import { type Workspace, WorkspaceError } from '../../port/workspace';

type WrittenImage = WrittenImages[number];
export type ReadImage = Omit<ImageInput, 'id'>;

export const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Rejects `invalid_request` or `too_large`. Paths are opened as tools open them: nothing outside the workspace, no protected file. */
export async function readImages(written: WrittenImages, workspace: Pick<Workspace, 'readFile'>): Promise<ReadImage[]> {
  const images: ReadImage[] = [];
  let total = 0;
  for (const [i, image] of written.entries()) {
    const at = `/images/${i}`;
    const read = image.path === undefined ? decodeImage(image, at) : await readImageFile(image, workspace, at);
    total += read.bytes.length;
    if (total > MAX_ALL_IMAGE_BYTES)
      throw refusal('too_large', '/images', 'the images of a message may have at most 10 MiB together', '一条消息的图片合计最多 10 MiB');
    images.push(read);
  }
  return images;
}

function decodeImage({ mediaType, base64 }: WrittenImage, at: string): ReadImage {
  if (base64 === undefined)
    throw refusal('invalid_request', at, 'must have base64 with mediaType, or path', '必须有 base64 和 mediaType，或者 path');
  if (mediaType === undefined) throw refusal('invalid_request', `${at}/mediaType`, 'must stand beside base64', '必须与 base64 同时出现');
  const { mediaType: found, bytes } = decodeBase64(base64, `${at}/base64`);
  if (found !== mediaType)
    throw refusal('invalid_request', `${at}/mediaType`, `must be ${found}, which the bytes are`, `必须是 ${found}，与字节内容一致`);
  return { mediaType, bytes };
}

async function readImageFile(
  { path = '', mediaType, base64 }: WrittenImage,
  workspace: Pick<Workspace, 'readFile'>,
  at: string,
): Promise<ReadImage> {
  const extra = base64 !== undefined ? 'base64' : mediaType !== undefined ? 'mediaType' : undefined;
  if (extra) throw refusal('invalid_request', `${at}/${extra}`, 'must not stand beside path', '不能与 path 同时出现');
  const field = `${at}/path`;
  try {
    const bytes = await workspace.readFile(path, { maxBytes: MAX_IMAGE_BYTES });
    return { mediaType: typeOf(bytes, field), bytes };
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceError)) throw thrown;
    if (thrown.code === 'too_large') throw tooLarge(field);
    const texts = { message: `${field}: ${thrown.message}`, messageZh: `${field}：${thrown.messageZh}` };
    throw new AppError('invalid_request', { param: field, ...texts, cause: thrown });
  }
}

/** Decodes an image. Throws `invalid_request` or `too_large`, with the field `field`. */
export function decodeBase64(base64: string, field: string): ReadImage {
  if (base64.length % 4 !== 0 || !BASE64.test(base64))
    throw refusal('invalid_request', field, 'must be base64 with its padding, and nothing else', '必须是带填充的 base64，不含其他内容');
  return checkImage(Buffer.from(base64, 'base64'), field);
}

/** Checks type and size of an image. Throws `invalid_request` or `too_large`, with the field `field`. */
export function checkImage(bytes: Buffer, field: string): ReadImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw tooLarge(field);
  return { mediaType: typeOf(bytes, field), bytes };
}

/** Tells the type from the first bytes. */
function typeOf(bytes: Buffer, field: string): ImageMediaType {
  const type = imageTypeOf(bytes);
  if (type) return type;
  throw refusal('invalid_request', field, 'must be a png, jpeg, webp or gif image', '必须是 png、jpeg、webp 或 gif 图片');
}

export const tooLarge = (field: string): AppError => refusal('too_large', field, 'an image may have at most 5 MiB', '一张图片最多 5 MiB');

const refusal = (code: ErrorCode, param: string, ...[rule, ruleZh]: [rule: string, ruleZh: string]): AppError =>
  new AppError(code, { param, message: `${param}: ${rule}.`, messageZh: `${param}：${ruleZh}。` });
