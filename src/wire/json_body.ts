/** Checks bodies of the REST door: JSON in UTF-8, plain or compressed. */
import { AppError } from '../errors';
import { MAX_ALL_IMAGE_BYTES } from '../port/image_input';

/** The request headers that describe the body, as Node gives them. */
export interface BodyHeaders {
  'content-type'?: string | undefined;
  'content-length'?: string | undefined;
  'content-encoding'?: string | undefined;
  'transfer-encoding'?: string | undefined;
}

const JSON_TYPE = /^\s*(?:application\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Returns true when the header announces a body, of known length or in chunks. */
export const hasBody = (headers: BodyHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Returns true when the type of the body is `application/json` or any `+json`. Throws `unsupported_media_type` for a charset other than UTF-8. */
export function isJsonBody({ 'content-type': type = '' }: BodyHeaders): boolean {
  if (!JSON_TYPE.test(type)) return false;
  const charset = CHARSET.exec(type)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return true;
  throw new AppError('unsupported_media_type', {
    message: `JSON is read as UTF-8; the charset ${charset.slice(0, 40)} is not.`,
    messageZh: `JSON 按 UTF-8 读取；不支持字符集 ${charset.slice(0, 40)}。`,
  });
}

/** The most bytes of a body, and of a body with images: base64 of all images that a message may have, and the rest of the request. */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_IMAGE_BODY_BYTES = Math.ceil(MAX_ALL_IMAGE_BYTES / 3) * 4 + MAX_BODY_BYTES;

/** Creates the error for a body over its limit, in bytes. `field`: the field of the body that the error names. */
export function tooLargeBody(field: string | undefined, limitBytes: number, cause?: unknown): AppError {
  if (field === undefined) return new AppError('too_large', { cause });
  const limit = `${Math.floor(limitBytes / 1024 / 1024)} MiB`;
  return new AppError('too_large', {
    param: `/${field}`,
    message: `/${field}: the request is larger than ${limit}.`,
    messageZh: `/${field}：请求超过 ${limit}。`,
    cause,
  });
}

/** Turns an error of the body parser into a client error: the body is too long, of an unknown encoding, damaged, or not JSON. */
export function toBodyError(thrown: unknown, headers: BodyHeaders, longField?: string): AppError {
  if (thrown instanceof AppError) return thrown;
  const { status } = thrown as { status?: unknown };
  const encoding = headers['content-encoding']?.slice(0, 40);
  if (status === 413) return tooLargeBody(longField, MAX_BODY_BYTES, thrown);
  if (status === 415) {
    return new AppError('unsupported_media_type', {
      message: `Content-Encoding ${encoding}: gzip, deflate and br are read.`,
      messageZh: `Content-Encoding ${encoding}：只支持 gzip、deflate 和 br。`,
      cause: thrown,
    });
  }
  if (status === 400)
    return new AppError('invalid_request', { message: 'The body is not valid JSON.', messageZh: '请求体不是有效的 JSON。', cause: thrown });
  return new AppError('invalid_request', {
    message: `The body is not what Content-Encoding ${encoding} says.`,
    messageZh: `请求体与 Content-Encoding ${encoding} 不符。`,
    cause: thrown,
  });
}
