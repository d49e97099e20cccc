/**
 * Opens paths without a race between check and use. A symlink can replace a directory after its name was checked, so directories are opened
 * first, the open descriptor is checked, and every further step uses that descriptor.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { WorkspaceError } from '../../port/workspace';

/** A resolved path: the real path of its existing part, and the components that do not exist yet. */
export interface RealTarget {
  existing: string;
  missing: string[];
}

/** Retries for entries that appear while a path is resolved. */
const MAX_RETRIES = 10;
const DESCRIPTORS = '/proc/self/fd';
const hasDescriptorPaths = (): boolean => existsSync(DESCRIPTORS);

/** Returns true when `path` is `root` or below it; both must be absolute and normalised. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Resolves the symlinks of the existing part. Throws WorkspaceError `outside`, or `not_a_file` for a dangling symlink. */
export async function realTarget(root: string, absolute: string): Promise<RealTarget> {
  const missing: string[] = [];
  let current = absolute;
  let retries = 0;
  for (;;) {
    const existing = await realpath(current).catch(ignoreMissing);
    if (existing !== undefined) {
      if (!isInside(root, existing)) throw outside();
      return { existing, missing };
    }
    const entry = await lstat(current).catch(ignoreMissing);
    if (entry?.isSymbolicLink()) throw new WorkspaceError('not_a_file', 'The path is a symlink that leads nowhere.');
    // Another call made the entry after the first look: resolve it again.
    if (entry && retries < MAX_RETRIES) {
      retries += 1;
      continue;
    }
    // The root itself may have been removed; never climb above it into directories of the host.
    if (current === root) throw new WorkspaceError('not_found', 'The workspace directory does not exist.');
    missing.unshift(basename(current));
    current = dirname(current);
  }
}

/** An open directory inside the root. */
export interface SafeDirectory {
  handle: FileHandle;
  /** A path to its entries that stays valid when a directory is renamed. */
  path: string;
}

/** Opens a directory by its real path and checks that the opened directory lies inside the root. The caller closes the handle. */
export async function openDirectory(root: string, realPath: string): Promise<SafeDirectory> {
  const handle = await open(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(rejectSwapped);
  try {
    await assertInside(root, handle, realPath);
    return { handle, path: hasDescriptorPaths() ? `${DESCRIPTORS}/${handle.fd}` : realPath };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Opens the target directory and creates the missing components. The caller closes the handle. */
export async function openOrMakeDirectory(root: string, { existing, missing }: RealTarget): Promise<SafeDirectory> {
  let directory = await openDirectory(root, existing);
  for (const name of missing) {
    const parent = directory;
    try {
      await mkdir(join(parent.path, name)).catch(ignoreExisting);
      directory = await openDirectory(root, join(parent.path, name));
    } finally {
      await parent.handle.close();
    }
  }
  return directory;
}

/** Throws `outside` unless the open descriptor lies inside the root. Without /proc it resolves the opened path once more. */
export async function assertInside(root: string, handle: FileHandle, openedAs: string): Promise<void> {
  if (hasDescriptorPaths()) {
    if (!isInside(root, await readlink(`${DESCRIPTORS}/${handle.fd}`))) throw outside();
    return;
  }
  const again = await realpath(openedAs);
  const [opened, named] = await Promise.all([handle.stat(), lstat(again)]);
  if (!isInside(root, again) || opened.ino !== named.ino || opened.dev !== named.dev) throw outside();
}

export const outside = (): WorkspaceError => new WorkspaceError('outside', 'The path leads out of the workspace.');

export function errorCode(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException | undefined)?.code;
}

/** ELOOP (ENOTDIR for directories) from an open with O_NOFOLLOW means that a symlink has replaced the checked name. */
export function rejectSwapped(thrown: unknown): never {
  if (errorCode(thrown) === 'ELOOP') throw outside();
  throw thrown;
}

function ignoreMissing(thrown: unknown): undefined {
  if (errorCode(thrown) === 'ENOENT') return undefined;
  throw thrown;
}

function ignoreExisting(thrown: unknown): undefined {
  if (errorCode(thrown) === 'EEXIST') return undefined;
  throw thrown;
}
