/** Reads PDF files that a request names by URL. Every refusal names the field. */
import { invalidField } from '../../errors';
import { MAX_ALL_FILE_BYTES } from '../../port/image_input';
import { type PageExtractor, type PageFetcher, WebError } from '../../port/web';
import { mapLimited } from '../../utils/map_limited';
import { decodePdf, extractText, filesTooLarge, isPdf, mustBePdf, type ReadFile } from './pdf_file';
import { DATA_URL, type ImageUrl } from './read_image_urls';

/** A file with its name. `hasText`: its text is known already and is not extracted. */
export interface FileUrl extends ImageUrl {
  file?: { name?: string; hasText?: true };
}

/** The most files of one request: a conversation holds the files of its earlier messages too. */
const MAX_FILES = 16;
const READ_AT_ONCE = 2;

/** Resolves with the files in their order. Rejects `invalid_request`, `too_large`, or with the reason of the signal. */
export async function readFileUrls(files: readonly FileUrl[], web: PageFetcher & PageExtractor, signal: AbortSignal): Promise<ReadFile[]> {
  const beyond = files[MAX_FILES];
  if (beyond) throw invalidField(beyond.at, `a request may have at most ${MAX_FILES} files.`, `一个请求最多 ${MAX_FILES} 个文件。`);
  let total = 0;
  return mapLimited(files, READ_AT_ONCE, async named => {
    const bytes = named.url.startsWith('data:') ? decodeFile(named) : await fetchFile(named, web, signal);
    total += bytes.length;
    if (total > MAX_ALL_FILE_BYTES) throw filesTooLarge(named.at);
    if (!isPdf(bytes)) throw mustBePdf(named.at);
    const text = named.file?.hasText ? undefined : await extractText(bytes, web, signal);
    return { mediaType: 'application/pdf', bytes, name: named.file?.name, text };
  });
}

function decodeFile({ at, url }: FileUrl): Buffer {
  const [head = ''] = DATA_URL.exec(url) ?? [];
  return decodePdf(head === '' ? '=' : url.slice(head.length), at);
}

async function fetchFile({ at, url }: FileUrl, web: PageFetcher, signal: AbortSignal): Promise<Buffer> {
  if (!/^https?:/i.test(url)) throw invalidField(at, 'must be an https address.', '必须是 https 地址。');
  try {
    const { status, bytes, clipped } = await web.fetch(url, signal, MAX_ALL_FILE_BYTES);
    if (clipped) throw filesTooLarge(at);
    if (status !== 200) throw invalidField(at, `the server answered ${status}.`, `服务器返回了 ${status}。`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (thrown) {
    if (!(thrown instanceof WebError)) throw thrown;
    throw invalidField(at, thrown.message, thrown.messageZh, { cause: thrown });
  }
}
