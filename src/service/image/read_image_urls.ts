/** Reads images that a request names by URL. Every refusal names the field. */
import { AppError, invalidField } from '../../errors';
import { MAX_ALL_IMAGE_BYTES } from '../../port/image_input';
import { type PageFetcher, WebError } from '../../port/web';
import { mapLimited } from '../../utils/map_limited';
import { checkImage, decodeBase64, type ReadImage, tooLarge } from './read_images';

export interface ImageUrl {
  /** JSON pointer of the URL. */
  at: string;
  url: string;
}

/** The most images of one request: a conversation holds the images of its earlier messages too. */
const MAX_IMAGES = 32;
const FETCHED_AT_ONCE = 4;
export const DATA_URL = /^data:[^,;]*;base64,/i;

/** Resolves with the images in their order. Rejects `invalid_request`, `too_large`, or with the reason of the signal. */
export async function readImageUrls(images: readonly ImageUrl[], web: PageFetcher, signal: AbortSignal): Promise<ReadImage[]> {
  const beyond = images[MAX_IMAGES];
  if (beyond) throw refusal(beyond.at, `a request may have at most ${MAX_IMAGES} images`, `一个请求最多 ${MAX_IMAGES} 张图片`);
  const read = await mapLimited(images, FETCHED_AT_ONCE, image => readImage(image, web, signal));
  let total = 0;
  for (const [i, { bytes }] of read.entries()) {
    total += bytes.length;
    const { at = '' } = images[i] ?? {};
    if (total > MAX_ALL_IMAGE_BYTES)
      throw new AppError('too_large', {
        param: at,
        message: `${at}: the images have more than 10 MiB together.`,
        messageZh: `${at}：图片合计超过 10 MiB。`,
      });
  }
  return read;
}

async function readImage({ at, url }: ImageUrl, web: PageFetcher, signal: AbortSignal): Promise<ReadImage> {
  const [head] = DATA_URL.exec(url) ?? [];
  if (head !== undefined) return decodeBase64(url.slice(head.length), at);
  if (!/^https?:/i.test(url))
    throw refusal(at, 'must be a data URL with base64, or an https address', '必须是 base64 的 data URL，或 https 地址');
  try {
    const { status, bytes, clipped } = await web.fetch(url, signal);
    if (clipped) throw tooLarge(at);
    if (status !== 200) throw refusal(at, `the server answered ${status}`, `服务器返回了 ${status}`);
    return checkImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), at);
  } catch (thrown) {
    if (!(thrown instanceof WebError)) throw thrown;
    throw invalidField(at, thrown.message, thrown.messageZh, { cause: thrown });
  }
}

const refusal = (param: string, rule: string, ruleZh: string): AppError => invalidField(param, `${rule}.`, `${ruleZh}。`);
