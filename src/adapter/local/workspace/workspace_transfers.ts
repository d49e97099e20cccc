/** Reads and writes files of a workspace in pieces, for downloads and uploads. */
import { createHash, randomBytes } from 'node:crypto';
import fs, { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OpenFile, WorkspaceError } from '../../../port/workspace';
import { hasAllNamesHere, mayBeWrittenInPlace } from '../disk/replace_file';
import { missingAsUndefined, notAFile, type SafeDirectory } from '../disk/safe_path';

/** Directory of files that are not complete yet, relative to the workspace. */
export const STAGING = '.neta/uploads';

const PIECE_BYTES = 64 * 1024;
const DEFAULT_MODE = 0o644;
/** Uploads end within the time limit of a request; an older file was left behind by a crash. */
const LEFT_BEHIND_MS = 3_600_000;

const read = promisify(fs.read);
const fstat: (descriptor: number, options: { bigint: true }) => Promise<BigIntStats> = promisify(fs.fstat);
const close = promisify(fs.close);

/** Describes an open file. Rejects with `not_a_file`; undefined when the file has no name any more. `path`: relative to the workspace. */
export async function toOpenFile(descriptor: number, path: string): Promise<OpenFile | undefined> {
  const stats = await fstat(descriptor, { bigint: true });
  if (!stats.isFile()) throw notAFile(path);
  if (stats.nlink === 0n) return undefined;
  return {
    path,
    size: Number(stats.size),
    modifiedAt: Number(stats.mtimeMs),
    version: versionOf(stats),
    read: (start, end) => readPieces(descriptor, { start, end, path }),
    close: () => close(descriptor),
  };
}

/** The version changes when a file is replaced (a new inode) and when it is changed in place (a new time). */
const versionOf = ({ ino, size, mtimeNs }: BigIntStats): string => [ino, size, mtimeNs].map(part => part.toString(36)).join('-');

async function* readPieces(descriptor: number, range: { start: number; end: number; path: string }): AsyncGenerator<Buffer> {
  const { start, end, path } = range;
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
    const { bytesRead } = await read(descriptor, piece, 0, piece.length, at);
    if (bytesRead === 0) throw new WorkspaceError('io', `${path} became shorter while it was read.`, `${path} 在读取时变短了。`);
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Writes all data to a new file of the directory and syncs it. Removes the file when that fails, and when there are more than maxBytes. */
export async function stageData(
  directory: SafeDirectory,
  data: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ path: string; size: number; hash: string }> {
  const path = join(directory.path, `${randomBytes(9).toString('hex')}.tmp`);
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const piece of data) {
      size += piece.length;
      if (size > maxBytes)
        throw new WorkspaceError('too_large', `The file is larger than ${maxBytes} bytes.`, `文件超过 ${maxBytes} 字节。`);
      hash.update(piece);
      await handle.writeFile(piece);
    }
    await handle.sync();
    return { path, size, hash: hash.digest('hex') };
  } catch (thrown) {
    await unlink(path).catch(() => {});
    throw thrown;
  } finally {
    await handle.close();
  }
}

/** Renames a staged file over the target, so that readers see either whole file, also after a crash. Resolves undefined where only a write in place can work. */
export async function renameStaged(
  from: string,
  directory: SafeDirectory,
  { name, shown }: { name: string; shown: string },
): Promise<{ created: boolean } | undefined> {
  const target = join(directory.path, name);
  const old = await lstat(target).catch(missingAsUndefined);
  if (old && !old.isFile()) throw notAFile(shown);
  if (old && (await hasAllNamesHere(directory, old))) return undefined;
  const handle = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await handle.chmod(old ? old.mode & 0o777 : DEFAULT_MODE);
    // Only root may change the owner; other users own the new file anyway.
    if (old) await handle.chown(old.uid, old.gid).catch(() => {});
    await rename(from, target);
  } catch (thrown) {
    if (old && mayBeWrittenInPlace(thrown, old)) return undefined;
    throw thrown;
  } finally {
    await handle.close();
  }
  // Some file systems cannot sync a directory; the file itself is synced already.
  await directory.handle.sync().catch(() => {});
  return { created: !old };
}

/** Removes files that uploads of an ended process left behind. */
export async function removeLeftBehind({ path }: SafeDirectory, now: number): Promise<void> {
  for (const name of (await readdir(path)).filter(file => file.endsWith('.tmp'))) {
    const stats = await stat(join(path, name)).catch(missingAsUndefined);
    if (stats && stats.mtimeMs < now - LEFT_BEHIND_MS) await unlink(join(path, name)).catch(missingAsUndefined);
  }
}
