/** Reads the upload of a file: a form with the bytes, as OpenAI's clients send it. */
import { Type } from '@sinclair/typebox';
import { AppError } from '../../../errors';
import { MAX_UPLOAD_BYTES } from '../../../service/file/file_service';
import { oneOf } from '../../../utils/schema_types';
import { decode } from '../../../wire/decode';
import { refusal } from '../../../wire/refusal';
import { PURPOSES } from './store/file_records';
import type { NewFile } from './uploaded_files';

/** Bytes of a form beside the file. */
const MAX_OTHER_BYTES = 64 * 1024;
const MAX_FILENAME_UNITS = 512;
const LEAST_SECONDS = 3_600;
const MOST_SECONDS = 30 * 24 * 3_600;

const Fields = Type.Object({ purpose: oneOf(PURPOSES) }, { additionalProperties: true });

/** Holds the form in memory. Rejects `unsupported_media_type`, `too_large`, and `invalid_request` with the field. */
export async function readUpload(contentType: string, body: AsyncIterable<Uint8Array>): Promise<NewFile> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new AppError('unsupported_media_type', NO_FORM);
  const form = await readForm(contentType, await readWhole(body));
  const { purpose } = decode(Fields, { purpose: form.get('purpose') ?? undefined });
  const file = form.get('file');
  if (!(file instanceof File)) throw refusal('/file', 'must be a file', '必须是文件');
  if (file.size > MAX_UPLOAD_BYTES) throw tooLarge();
  if (file.name.length > MAX_FILENAME_UNITS)
    throw refusal('/file', `must have a name of at most ${MAX_FILENAME_UNITS} characters`, `文件名最多 ${MAX_FILENAME_UNITS} 个字符`);
  return { filename: file.name, purpose, bytes: await file.bytes(), expiresAfterMs: expiryOf(form) };
}

async function readForm(contentType: string, bytes: Uint8Array): Promise<FormData> {
  try {
    return await new Response(Buffer.from(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw new AppError('invalid_request', { ...NO_FORM, cause });
  }
}

function expiryOf(form: FormData): number | undefined {
  const [anchor, text] = [form.get('expires_after[anchor]'), form.get('expires_after[seconds]')];
  if (anchor === null && text === null) return undefined;
  if (anchor !== 'created_at') throw refusal('/expires_after/anchor', 'must be created_at', '必须是 created_at');
  const seconds = typeof text === 'string' && /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS)
    throw refusal(
      '/expires_after/seconds',
      `must be an integer from ${LEAST_SECONDS} to ${MOST_SECONDS}`,
      `必须是 ${LEAST_SECONDS} 到 ${MOST_SECONDS} 之间的整数`,
    );
  return seconds * 1_000;
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_UPLOAD_BYTES + MAX_OTHER_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

const tooLarge = (): AppError =>
  new AppError('too_large', { param: '/file', message: 'A file may have at most 25 MiB.', messageZh: '文件最大 25 MiB。' });

const NO_FORM = {
  message: 'The body must be multipart/form-data with the fields file and purpose.',
  messageZh: '请求体必须是 multipart/form-data，含 file 和 purpose 字段。',
};
