/** Reads the body of a form, which is small. */
import { AppError } from '../../../errors';

const MAX_BYTES = 64 * 1024;

/** The parts of an HTTP request that hold its body. */
interface RequestBody {
  headers: { 'content-encoding'?: string | undefined; 'content-type'?: string | undefined };
  iterator(options: { destroyOnReturn: boolean }): AsyncIterator<Buffer> & AsyncIterable<Buffer>;
}

/** Rejects `unsupported_media_type` for another type or a compressed body, and `too_large`. */
export async function readForm(request: RequestBody): Promise<URLSearchParams> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
  if (encoding !== 'identity' || !/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new AppError('unsupported_media_type', {
      message: 'Send a form: content-type application/x-www-form-urlencoded, not compressed.',
      messageZh: '请发送表单：content-type 为 application/x-www-form-urlencoded，且不压缩。',
    });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new AppError('too_large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
