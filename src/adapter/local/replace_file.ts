/** Replaces files atomically. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DiskCalls } from './disk_calls';
import { missingAsUndefined, notAFile, type SafeDirectory } from './safe_path';

const DEFAULT_MODE = 0o644;

/** A file of the directory and its new content. `shown`: its path for messages. */
export interface NewContent {
  name: string;
  data: Uint8Array;
  shown: string;
}

/** Writes a temporary file and renames it over the old one, so that readers see either whole file, also after a crash. */
export async function replaceFile(
  directory: SafeDirectory,
  { name, data, shown }: NewContent,
  calls: Pick<DiskCalls, 'quick'>,
): Promise<{ created: boolean }> {
  const target = join(directory.path, name);
  const old = await calls.quick.lstat(target).catch(missingAsUndefined);
  if (old && !old.isFile()) throw notAFile(shown);
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
    throw thrown;
  }
}

/** Only root may change the owner; other users own the new file anyway. */
async function keepOwner(handle: FileHandle, old: Stats, own: Stats): Promise<void> {
  if (old.uid !== own.uid || old.gid !== own.gid) await handle.chown(old.uid, old.gid).catch(() => {});
}
