/** Bodies of requests to inbound webhooks: read whole, because a signature covers their bytes, and then parsed by their type. */
import { Type } from '@sinclair/typebox';
import { AppError } from '../../errors';
import { decode } from '../../wire/decode';
import { isJsonBody } from '../../wire/json_body';

const MAX_HOOK_BODY_BYTES = 256 * 1024;

const AnyValue = Type.Unknown();
const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const TEXT_TYPE = /^\s*text\/[\w.+-]+\s*(?:;|$)/i;

/** The parts of an HTTP request that hold its body. */
interface RequestBody {
  headers: { 'content-encoding'?: string | undefined; 'content-length'?: string | undefined };
  iterator(options: { destroyOnReturn: boolean }): AsyncIterator<Buffer> & AsyncIterable<Buffer>;
}

/** Rejects `too_large`, and `unsupported_media_type` for a compressed body. */
export async function readHookBody(request: RequestBody): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers;
  if (encoding !== 'identity') throw compressed(encoding);
  if (Number(length) > MAX_HOOK_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_HOOK_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON, forms and texts; an empty body is the empty text. Throws `invalid_request`, `unsupported_media_type`. */
export function parseHookBody(bytes: Buffer, type: string): unknown {
  const text = toText(bytes);
  if (text === '' && type === '') return '';
  if (isJsonBody({ 'content-type': type })) return decode(AnyValue, parseJson(text));
  if (FORM_TYPE.test(type)) return decode(AnyValue, parseForm(text));
  if (TEXT_TYPE.test(type)) return text;
  throw new AppError('unsupported_media_type', {
    message: 'Send JSON, a form (application/x-www-form-urlencoded) or a text, and name the type in content-type.',
    messageZh: '请发送 JSON、表单（application/x-www-form-urlencoded）或文本，并在 content-type 中注明类型。',
  });
}

function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', { message: 'The body is not UTF-8.', messageZh: '请求体不是 UTF-8。', cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', { message: 'The body is not valid JSON.', messageZh: '请求体不是有效的 JSON。', cause });
  }
}

/** A field that is given several times becomes a list. */
function parseForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, singleOrList(values)]));
}

const singleOrList = (values: string[]): string | string[] => (values.length === 1 ? (values[0] ?? '') : values);

const compressed = (encoding: string): AppError =>
  new AppError('unsupported_media_type', {
    message: `Content-Encoding ${encoding.slice(0, 40)}: send the body uncompressed.`,
    messageZh: `Content-Encoding ${encoding.slice(0, 40)}：请发送未压缩的请求体。`,
  });

const tooLarge = (): AppError =>
  new AppError('too_large', {
    message: `The body of a hook has at most ${MAX_HOOK_BODY_BYTES / 1024} KiB.`,
    messageZh: `钩子的请求体最多 ${MAX_HOOK_BODY_BYTES / 1024} KiB。`,
  });
