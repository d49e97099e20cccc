/** Reads and checks the PDF files of a request. Every refusal names the field. */
import { posix } from 'node:path';
import { invalidField } from '../../errors';
import { MAX_ALL_FILE_BYTES, type WrittenFiles } from '../../port/image_input';
import type { PageExtractor } from '../../port/web';
import { type Workspace, WorkspaceError } from '../../port/workspace';
import { decodePdf, extractText, filesTooLarge, isPdf, mustBePdf, type ReadFile } from './pdf_file';

type WrittenFile = WrittenFiles[number];

interface FileSources {
  workspace: Pick<Workspace, 'readFile'>;
  web: PageExtractor;
  signal: AbortSignal;
}

/** Rejects `invalid_request`, `too_large`, or with the reason of the signal. Paths are opened as tools open them. */
export async function readFiles(written: WrittenFiles, { workspace, web, signal }: FileSources): Promise<ReadFile[]> {
  const files: ReadFile[] = [];
  let total = 0;
  for (const [i, file] of written.entries()) {
    const at = `/files/${i}`;
    const { field, bytes } = file.path === undefined ? decodeFile(file, at) : await readWorkspaceFile(file, workspace, at);
    total += bytes.length;
    if (total > MAX_ALL_FILE_BYTES) throw filesTooLarge('/files');
    if (!isPdf(bytes)) throw mustBePdf(field);
    const name = file.name ?? (file.path === undefined ? undefined : posix.basename(file.path));
    files.push({ mediaType: 'application/pdf', bytes, name, text: await extractText(bytes, web, signal) });
  }
  return files;
}

interface FoundFile {
  /** JSON pointer of the field that has the bytes. */
  field: string;
  bytes: Buffer;
}

function decodeFile({ base64 }: WrittenFile, at: string): FoundFile {
  if (base64 === undefined) throw invalidField(at, 'must have base64 or path.', '必须有 base64 或 path。');
  const field = `${at}/base64`;
  return { field, bytes: decodePdf(base64, field) };
}

async function readWorkspaceFile(
  { path = '', mediaType, base64 }: WrittenFile,
  workspace: FileSources['workspace'],
  at: string,
): Promise<FoundFile> {
  const extra = base64 !== undefined ? 'base64' : mediaType !== undefined ? 'mediaType' : undefined;
  if (extra) throw invalidField(`${at}/${extra}`, 'must not stand beside path.', '不能与 path 同时出现。');
  const field = `${at}/path`;
  try {
    return { field, bytes: await workspace.readFile(path, { maxBytes: MAX_ALL_FILE_BYTES }) };
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceError)) throw thrown;
    if (thrown.code === 'too_large') throw filesTooLarge(field);
    throw invalidField(field, thrown.message, thrown.messageZh, { cause: thrown });
  }
}
