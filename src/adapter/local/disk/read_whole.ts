/** Reads a whole file through its descriptor. */
import { WorkspaceError } from '../../../port/workspace';
import type { DiskCalls } from './disk_calls';
import type { FileCalls } from './file_calls';
import { notAFile } from './safe_path';

/** A larger file is read in the thread pool. */
const MAX_DIRECT_BYTES = 64 * 1024;

/** Reads a whole file. Rejects with WorkspaceError `not_a_file` and `too_large`. `shown`: the path for messages. */
export async function readWhole(
  descriptor: number,
  { shown, maxBytes }: { shown: string; maxBytes: number },
  { quick, slow }: Pick<DiskCalls, 'quick' | 'slow'>,
): Promise<Buffer> {
  const opened = await quick.stat(descriptor);
  if (!opened.isFile()) throw notAFile(shown);
  const tooLarge = () => new WorkspaceError('too_large', `${shown} is larger than ${maxBytes} bytes.`, `${shown} 超过 ${maxBytes} 字节。`);
  if (opened.size > maxBytes) throw tooLarge();
  const bytes = await readUpTo({ descriptor, calls: opened.size <= MAX_DIRECT_BYTES ? quick : slow }, opened.size, maxBytes);
  if (!bytes) throw tooLarge();
  return bytes;
}

/** Reads the whole file; undefined when it has grown over the limit since it was opened. */
async function readUpTo(file: { descriptor: number; calls: FileCalls }, expected: number, maxBytes: number): Promise<Buffer | undefined> {
  let buffer = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const bytesRead = await file.calls.read(file.descriptor, buffer, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(length * 2, maxBytes + 1));
  }
}
