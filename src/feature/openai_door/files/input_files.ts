/**
 * The files that messages of a request bring. Each becomes a file of the workspace, and the message names its path, as for a file that a person attaches
 * on the page. Beside a PDF stands its text, because tools read no PDFs; models that read PDFs get the bytes too.
 */
import { createHash } from 'node:crypto';
import { AppError, invalidField } from '../../../errors';
import { MAX_ALL_FILE_BYTES } from '../../../port/image_input';
import { type PageExtractor, type PageFetcher, WebError } from '../../../port/web';
import type { AccessCaller } from '../../../service/access/session_access';
import { MAX_UPLOAD_BYTES } from '../../../service/file/file_service';
import { TransferLimit } from '../../../service/file/transfer_limit';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import { refusal } from '../../../wire/refusal';
import type { InputFile, NamedFile, TakeFile } from '../items/input_items';
import { isPdf, textPathOf, type UploadedFiles } from './uploaded_files';

export interface InputFilesDeps {
  uploadedFiles: Pick<UploadedFiles, 'getFile' | 'pathOf' | 'write' | 'readBytes' | 'hasPath' | 'whileHeld'>;
  web: PageFetcher & PageExtractor;
  models: Pick<ModelCatalog, 'readsFiles'>;
}

/** The files of one request. */
type RequestFiles = InputFilesDeps & {
  caller: AccessCaller;
  tenantId: string;
  signal: AbortSignal;
  attachableBytes: number;
  downloads: TransferLimit;
};

const MAX_FILES = 10;
const FILES_MS = 60_000;
/** Files that other servers send. They have places of their own, because a slow server must not keep uploads waiting. */
const DOWNLOADED_AT_ONCE = { all: 16, ofTenant: 4 };
const HASH_UNITS = 12;
/** Bytes; a multiple of 3, so that the base64 of the pieces is that of the whole. */
const HASHED_AT_ONCE = 48 * 1024;
const DATA_URL = /^data:([^,;]*)(?:;[^,;]*)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

interface ReadFile {
  bytes: Uint8Array;
  name: string;
}

interface StoredInput {
  path: string;
  filename: string;
  file_id: string | null;
}

export class InputFiles {
  private readonly downloads = new TransferLimit(DOWNLOADED_AT_ONCE);

  constructor(private readonly deps: InputFilesDeps) {}

  /** Returns the function that takes the files of one request, at most 10 and within 60 s. It rejects with the field of the file. */
  takerFor(caller: AccessCaller): TakeFile {
    const { deps, downloads } = this;
    const { tenantId } = caller;
    const signal = AbortSignal.timeout(FILES_MS);
    const request = { ...deps, caller, tenantId, signal, attachableBytes: MAX_ALL_FILE_BYTES, downloads };
    let count = 0;
    return file => takeFile(file, ++count, request);
  }

  /** Returns a function like takerFor's that stores nothing and fetches nothing: the paths of new files are only as long as they would be. */
  namerFor(caller: AccessCaller): TakeFile {
    return async ({ at, source: { field, value }, filename = 'file' }) => {
      if (field !== 'file_id')
        return { type: 'input_file', file_id: null, filename, paths: [`uploads/${'0'.repeat(HASH_UNITS)}-${filename}`] };
      const file = await this.deps.uploadedFiles.getFile(caller, value, `${at}/${field}`);
      return { type: 'input_file', file_id: file.id, filename: file.filename, paths: [file.path] };
    };
  }
}

async function takeFile(file: NamedFile, count: number, request: RequestFiles): Promise<InputFile> {
  if (count > MAX_FILES)
    throw refusal(file.at, `is file ${count}; a request may have ${MAX_FILES}`, `是第 ${count} 个文件；一个请求最多 ${MAX_FILES} 个`);
  const stored = await storeInput(file, request);
  const text = isPdf(stored.path) ? await storeText(stored.path, request) : undefined;
  const { path, ...named } = stored;
  const pdf = isPdf(path) && request.models.readsFiles ? await readPdf(path, request) : undefined;
  return { type: 'input_file', ...named, paths: text === undefined ? [path] : [path, text], pdf };
}

/** Resolves with undefined for a file that is no PDF, and for one that exceeds what a request may bring to a model: the message names its path. */
async function readPdf(path: string, request: RequestFiles): Promise<string | undefined> {
  const { tenantId, uploadedFiles } = request;
  const bytes = Buffer.from(await uploadedFiles.whileHeld(tenantId, () => uploadedFiles.readBytes(tenantId, path)));
  if (bytes.length > request.attachableBytes || bytes.toString('latin1', 0, 5) !== '%PDF-') return undefined;
  request.attachableBytes -= bytes.length;
  return `data:application/pdf;base64,${bytes.toString('base64')}`;
}

async function storeInput(file: NamedFile, request: RequestFiles): Promise<StoredInput> {
  const { caller, tenantId, uploadedFiles } = request;
  const { field, value } = file.source;
  const at = `${file.at}/${field}`;
  if (field === 'file_id') {
    const { id, path, filename } = await uploadedFiles.getFile(caller, value, at);
    return { path, filename, file_id: id };
  }
  const store = async ({ bytes, name }: ReadFile): Promise<StoredInput> => {
    const filename = file.filename ?? name;
    const path = uploadedFiles.pathOf(`${hashOf(bytes)}-`, filename);
    // The same bytes are the same file, also when a client sends its request again. What the agent changed in it stays.
    if (!(await uploadedFiles.hasPath(tenantId, path))) await uploadedFiles.write(tenantId, path, bytes);
    return { path, filename, file_id: null };
  };
  if (field === 'file_data') return uploadedFiles.whileHeld(tenantId, async () => store(decodeData(value, at)));
  return request.downloads.whileCounted(tenantId, async () => store(await fetchFile(value, at, request)));
}

/** Hashes the base64 as a JSON text, because the names of files that are stored already hold this hash. In pieces: a file may have 25 MiB. */
function hashOf(bytes: Uint8Array): string {
  const hash = createHash('sha256').update('"');
  for (let i = 0; i < bytes.length; i += HASHED_AT_ONCE) hash.update(Buffer.from(bytes.subarray(i, i + HASHED_AT_ONCE)).toString('base64'));
  return hash
    .update('"')
    .digest('base64url')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, HASH_UNITS);
}

function decodeData(value: string, at: string): ReadFile {
  const [head = '', type = ''] = DATA_URL.exec(value) ?? [];
  const base64 = value.slice(head.length);
  if (base64 === '' || !BASE64.test(base64))
    throw refusal(at, 'must be base64, or a data URL with base64', '必须是 base64，或 base64 的 data URL');
  return { bytes: Buffer.from(base64, 'base64'), name: type === 'application/pdf' ? 'file.pdf' : 'file' };
}

async function fetchFile(url: string, at: string, { web, signal }: RequestFiles): Promise<ReadFile> {
  if (!/^https?:/i.test(url)) throw refusal(at, 'must be an https address', '必须是 https 地址');
  try {
    const { status, bytes, clipped, finalUrl } = await web.fetch(url, signal, MAX_UPLOAD_BYTES);
    if (clipped)
      throw new AppError('too_large', {
        param: at,
        message: `${at}: the file has more than 25 MiB.`,
        messageZh: `${at}：文件超过 25 MiB。`,
      });
    if (status !== 200) throw refusal(at, `the server answered ${status}`, `服务器返回了 ${status}`);
    return { bytes, name: nameIn(finalUrl) };
  } catch (thrown) {
    if (!(thrown instanceof WebError)) throw thrown;
    throw invalidField(at, thrown.message, thrown.messageZh, { cause: thrown });
  }
}

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Stores the text of a PDF beside it. Resolves with its path; undefined for a PDF that cannot be read, such as one of pictures. */
async function storeText(path: string, { tenantId, uploadedFiles, web, signal }: RequestFiles): Promise<string | undefined> {
  const textPath = textPathOf(path);
  if (await uploadedFiles.hasPath(tenantId, textPath)) return textPath;
  return uploadedFiles.whileHeld(tenantId, async () => {
    try {
      const bytes = await uploadedFiles.readBytes(tenantId, path);
      const page = { url: '', finalUrl: '', status: 200, contentType: 'application/pdf', bytes, clipped: false };
      const read = await web.extract(page, 'text', signal);
      if (read.type !== 'text' || read.text.trim() === '') return undefined;
      await uploadedFiles.write(tenantId, textPath, Buffer.from(read.text));
      return textPath;
    } catch (thrown) {
      if (thrown instanceof WebError) return undefined;
      throw thrown;
    }
  });
}
