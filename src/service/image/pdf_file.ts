/** Checks the bytes of PDF files, and extracts their texts. Every refusal names the field. */
import { AppError, invalidField } from '../../errors';
import type { FileInput } from '../../port/image_input';
import { type PageExtractor, WebError } from '../../port/web';
import { BASE64 } from './read_images';

/** A file that was read and checked; it has no id yet. */
export type ReadFile = Omit<FileInput, 'id'>;

/** Characters of the text of a file. */
const MAX_TEXT_UNITS = 200_000;

/** Decodes base64. Throws `invalid_request`. */
export function decodePdf(base64: string, at: string): Buffer {
  if (base64.length % 4 !== 0 || !BASE64.test(base64))
    throw invalidField(at, 'must be base64 with its padding, or a data URL with it.', '必须是带填充的 base64，或含有它的 data URL。');
  return Buffer.from(base64, 'base64');
}

export const isPdf = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === '%PDF-';

/** Resolves with undefined for a file without a text that can be extracted, such as one of pictures. */
export async function extractText(bytes: Uint8Array, web: PageExtractor, signal: AbortSignal): Promise<string | undefined> {
  try {
    const page = { url: '', finalUrl: '', status: 200, contentType: 'application/pdf', bytes, clipped: false };
    const read = await web.extract(page, 'text', signal);
    return read.type === 'text' && read.text.trim() !== '' ? read.text.slice(0, MAX_TEXT_UNITS).toWellFormed() : undefined;
  } catch (thrown) {
    if (thrown instanceof WebError) return undefined;
    throw thrown;
  }
}

export const mustBePdf = (at: string): AppError => invalidField(at, 'must be a PDF file.', '必须是 PDF 文件。');

export const filesTooLarge = (at: string): AppError =>
  new AppError('too_large', {
    param: at,
    message: `${at}: the files have more than 10 MiB together.`,
    messageZh: `${at}：文件合计超过 10 MiB。`,
  });
