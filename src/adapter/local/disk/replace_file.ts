/** Replaces files: by a rename, which readers see as a whole, or in place where the name must stay what it is. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DiskCalls } from './disk_calls';
import { errorCode, missingAsUndefined, notAFile, type SafeDirectory } from './safe_path';

const DEFAULT_MODE = 0o644;
/** Entries of a directory that are searched for hard links. */
const MOST_ENTRIES = 1_000;
/** A file that is mounted alone cannot be renamed over, and its directory may not be writable. */
const NEEDS_PLACE: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EACCES', 'EROFS']);

/** Returns true for an error of a rename after which the file may still be writable in place. */
const needsPlace = (thrown: unknown): boolean => NEEDS_PLACE.has(errorCode(thrown));

/** Returns true when a file may be written in place after its rename failed: an operator mounted the file, or it has no other name. */
export const mayBeWrittenInPlace = (thrown: unknown, { nlink }: Pick<Stats, 'nlink'>): boolean =>
  needsPlace(thrown) && (nlink === 1 || errorCode(thrown) === 'EBUSY');

/** A file of the directory and its new content. `shown`: its path for messages. */
export interface NewContent {
  name: string;
  data: Uint8Array;
  shown: string;
}

/**
 * Writes a temporary file and renames it over the old file, so that readers see one whole file or the other, also after a crash. A file that is
 * mounted alone, and a file whose other hard links all lie beside it, are written in place instead. A hard link elsewhere keeps the old content,
 * because it may lie outside the workspace.
 */
export async function replaceFile(
  directory: SafeDirectory,
  { name, data, shown }: NewContent,
  calls: Pick<DiskCalls, 'quick'>,
): Promise<{ created: boolean }> {
  const target = join(directory.path, name);
  const old = await calls.quick.lstat(target).catch(missingAsUndefined);
  if (old && !old.isFile()) throw notAFile(shown);
  if (old && (await hasAllNamesHere(directory, old))) return writeInPlace(target, data, old);
  try {
    return await renameOver(directory, { target, data, old }, calls);
  } catch (thrown) {
    if (old && mayBeWrittenInPlace(thrown, old)) return writeInPlace(target, data, old);
    throw thrown;
  }
}

/** Returns true for a file with several hard links that are all in the directory. */
export async function hasAllNamesHere(
  { path }: SafeDirectory,
  { dev, ino, nlink }: Pick<Stats, 'dev' | 'ino' | 'nlink'>,
): Promise<boolean> {
  if (nlink === 1) return false;
  const entries = await readdir(path);
  if (entries.length > MOST_ENTRIES) return false;
  const found = await Promise.all(entries.map(entry => lstat(join(path, entry)).catch(missingAsUndefined)));
  return found.filter(other => other?.dev === dev && other.ino === ino).length === nlink;
}

async function renameOver(
  directory: SafeDirectory,
  { target, data, old }: { target: string; data: Uint8Array; old: Stats | undefined },
  calls: Pick<DiskCalls, 'quick'>,
): Promise<{ created: boolean }> {
  const temporary = join(directory.path, `.${randomBytes(9).toString('hex')}.tmp`);
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    try {
      await handle.writeFile(data);
      if (old) await keepOwner(handle, old, await calls.quick.stat(handle.fd));
      await handle.chmod(old ? old.mode & 0o777 : DEFAULT_MODE);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (thrown) {
    await unlink(temporary).catch(() => {});
    throw thrown;
  }
  // Some file systems cannot sync a directory; the file itself is synced already.
  await directory.handle.sync().catch(() => {});
  return { created: !old };
}

/** Writes a temporary file, syncs it and renames it over the old one; a link in its place is replaced, not followed. For directories of the gateway. */
export async function replaceOwnFile(target: string, data: Uint8Array): Promise<void> {
  const temporary = join(dirname(target), `.${randomBytes(9).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (thrown) {
    await rm(temporary, { force: true });
    if (!needsPlace(thrown)) throw thrown;
    await writeInPlace(target, data).catch(() => {
      throw thrown;
    });
  }
}

/**
 * Overwrites the bytes of a file and syncs it; its other names, mode and owner stay. A failed write puts the old bytes back. `old`: the file that was
 * checked; another file in its place, such as a link that leads outside, is refused.
 */
async function writeInPlace(target: string, data: Uint8Array, old?: Pick<Stats, 'dev' | 'ino'>): Promise<{ created: boolean }> {
  const handle = await open(target, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const { dev, ino } = await handle.stat();
    if (old && (dev !== old.dev || ino !== old.ino)) throw Object.assign(new Error('The file was replaced.'), { code: 'EAGAIN' });
    const before = await handle.readFile();
    try {
      await writeFromStart(handle, data);
    } catch (thrown) {
      await writeFromStart(handle, before).catch(() => {});
      throw thrown;
    }
  } finally {
    await handle.close();
  }
  return { created: false };
}

async function writeFromStart(handle: FileHandle, data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.length; ) at += (await handle.write(data, at, data.length - at, at)).bytesWritten;
  await handle.truncate(data.length);
  await handle.sync();
}

/** Keeps the owner of a replaced file. Only root may change the owner; other users own the new file anyway. */
async function keepOwner(handle: FileHandle, old: Stats, own: Stats): Promise<void> {
  if (old.uid !== own.uid || old.gid !== own.gid) await handle.chown(old.uid, old.gid).catch(() => {});
}
