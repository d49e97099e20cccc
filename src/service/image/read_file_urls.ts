/** Reads PDF files that a request names by URL. Every refusal names the field. */
import { AppError, invalidField } from '../../errors';
import { type FileInput, MAX_ALL_FILE_BYTES } from '../../port/image_input';
import { type PageExtractor, type PageFetcher, WebError } from '../../port/web';
import { mapLimited } from '../../utils/map_limited';
import { DATA_URL, type ImageUrl } from './read_image_urls';
import { BASE64 } from './read_images';

/** A file with its name. `hasText`: its text is known already and is not extracted. */
export interface FileUrl extends ImageUrl {
  file?: { name?: string; hasText?: true };
}

type ReadFile = Omit<FileInput, 'id'>;

/** The most files of one request: a conversation holds the files of its earlier messages too. */
const MAX_FILES = 16;
const READ_AT_ONCE = 2;
/** Characters of the text of a file. */
const MAX_TEXT_UNITS = 200_000;

/** Resolves with the files in their order. Rejects `invalid_request`, `too_large`, or with the reason of the signal. */
export async function readFileUrls(files: readonly FileUrl[], web: PageFetcher & PageExtractor, signal: AbortSignal): Promise<ReadFile[]> {
  const beyond = files[MAX_FILES];
  if (beyond) throw invalidField(beyond.at, `a request may have at most ${MAX_FILES} files.`, `一个请求最多 ${MAX_FILES} 个文件。`);
  let total = 0;
  return mapLimited(files, READ_AT_ONCE, async named => {
    const bytes = named.url.startsWith('data:') ? decodeFile(named) : await fetchFile(named, web, signal);
    total += bytes.length;
    if (total > MAX_ALL_FILE_BYTES) throw tooLarge(named.at);
    if (bytes.toString('latin1', 0, 5) !== '%PDF-') throw invalidField(named.at, 'must be a PDF file.', '必须是 PDF 文件。');
    const text = named.file?.hasText ? undefined : await extractText(bytes, web, signal);
    return { mediaType: 'application/pdf', bytes, name: named.file?.name, text };
  });
}

function decodeFile({ at, url }: FileUrl): Buffer {
  const [head = ''] = DATA_URL.exec(url) ?? [];
  const base64 = url.slice(head.length);
  if (head === '' || base64.length % 4 !== 0 || !BASE64.test(base64))
    throw invalidField(at, 'must be base64 with its padding, or a data URL with it.', '必须是带填充的 base64，或含有它的 data URL。');
  return Buffer.from(base64, 'base64');
}

async function fetchFile({ at, url }: FileUrl, web: PageFetcher, signal: AbortSignal): Promise<Buffer> {
  if (!/^https?:/i.test(url)) throw invalidField(at, 'must be an https address.', '必须是 https 地址。');
  try {
    const { status, bytes, clipped } = await web.fetch(url, signal, MAX_ALL_FILE_BYTES);
    if (clipped) throw tooLarge(at);
    if (status !== 200) throw invalidField(at, `the server answered ${status}.`, `服务器返回了 ${status}。`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (thrown) {
    if (!(thrown instanceof WebError)) throw thrown;
    throw invalidField(at, thrown.message, thrown.messageZh, { cause: thrown });
  }
}

/** Resolves with undefined for a file without a text that can be extracted, such as one of pictures. */
async function extractText(bytes: Buffer, web: PageExtractor, signal: AbortSignal): Promise<string | undefined> {
  try {
    const page = { url: '', finalUrl: '', status: 200, contentType: 'application/pdf', bytes, clipped: false };
    const read = await web.extract(page, 'text', signal);
    return read.type === 'text' && read.text.trim() !== '' ? read.text.slice(0, MAX_TEXT_UNITS).toWellFormed() : undefined;
  } catch (thrown) {
    if (thrown instanceof WebError) return undefined;
    throw thrown;
  }
}

const tooLarge = (at: string): AppError =>
  new AppError('too_large', {
    param: at,
    message: `${at}: the files have more than 10 MiB together.`,
    messageZh: `${at}：文件合计超过 10 MiB。`,
  });
