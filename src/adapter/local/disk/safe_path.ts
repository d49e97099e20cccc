/**
 * Opens paths without a race between check and use. A symlink can replace a directory after its name was checked, so directories are opened
 * first, the open descriptor is checked, and every further step uses that descriptor.
 */
import { closeSync, constants, readlinkSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { WorkspaceError } from '../../../port/workspace';
import { descriptorPath, hasDescriptorPaths } from './descriptor_paths';
import { O_PATH, walkDirectly } from './direct_walk';
import { type FileCalls, pooledCalls } from './file_calls';
import { isProtected } from './protected_paths';

/** A resolved path: the real path of its existing part, and the components that do not exist yet. */
export interface RealTarget {
  existing: string;
  missing: string[];
}

/** Retries for entries that appear while a path is resolved. */
const MAX_RETRIES = 10;

/** Returns true when `path` is `root` or lies below it; both must be absolute and normalised. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Resolves the symlinks of the existing part. Throws WorkspaceError `outside`, or `not_a_file` for a dangling symlink. */
export async function realTarget(root: string, absolute: string): Promise<RealTarget> {
  const missing: string[] = [];
  let current = absolute;
  let retries = 0;
  for (;;) {
    const existing = await realpath(current).catch(missingAsUndefined);
    if (existing !== undefined) {
      if (!isInside(root, existing)) throw outside();
      return { existing, missing };
    }
    const entry = await lstat(current).catch(missingAsUndefined);
    if (entry?.isSymbolicLink())
      throw new WorkspaceError('not_a_file', 'The path is a symlink that leads nowhere.', '该路径是无处可去的符号链接。');
    // Another call created the entry after the first look, so the path is resolved again.
    if (entry && retries < MAX_RETRIES) {
      retries += 1;
      continue;
    }
    // The root itself may have been removed; never climb above it into directories of the host.
    if (current === root) throw new WorkspaceError('not_found', 'The workspace directory does not exist.', '工作区目录不存在。');
    missing.unshift(basename(current));
    current = dirname(current);
  }
}

/**
 * Walks the path once, follows symlinks, and returns a descriptor of the file or directory at its end. Throws `outside` when that lies outside the
 * root. Undefined when the walk fails, and on systems without /proc: use realTarget then, which also finds the reason. Release the descriptor with
 * releaseHeld.
 */
export async function holdPath(
  root: string,
  absolute: string,
  { slow, isLocal }: { slow: Pick<FileCalls, 'open'>; isLocal: boolean },
  flags = 0,
): Promise<number | undefined> {
  if (!hasDescriptorPaths()) return undefined;
  const walked = isLocal ? walkDirectly(root, absolute, flags) : undefined;
  const held = walked ?? (await slow.open(absolute, O_PATH | flags).catch(() => undefined));
  if (held === undefined) return undefined;
  try {
    if (!isInside(root, readlinkSync(descriptorPath(held)))) throw outside();
    return held;
  } catch (thrown) {
    releaseHeld(held);
    throw thrown;
  }
}

/** Closes a descriptor of holdPath; never waits for a disk, because the file was not opened. */
export const releaseHeld = (held: number): void => closeSync(held);

/** An open directory inside the root. */
export interface SafeDirectory {
  handle: FileHandle;
  /** A path to its entries that stays valid when a directory is renamed. */
  path: string;
  /** Path at the moment of opening, without symlinks. */
  realPath: string;
}

/** Opens a directory by its real path and checks that the opened directory lies inside the root. The caller closes the handle. */
export async function openDirectory(root: string, realPath: string): Promise<SafeDirectory> {
  const handle = await open(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(rejectSwapped);
  try {
    const opened = await assertInside(root, handle.fd, realPath);
    return { handle, path: hasDescriptorPaths() ? descriptorPath(handle.fd) : realPath, realPath: opened };
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
      assertUnprotected(root, parent, name);
      await mkdir(join(parent.path, name)).catch(ignoreExisting);
      directory = await openDirectory(root, join(parent.path, name));
    } finally {
      await parent.handle.close();
    }
  }
  return directory;
}

/** Throws `protected` when git executes or obeys the entry. A check by path alone is not enough: a symlink may have replaced a directory since. */
export function assertUnprotected(root: string, { realPath }: Pick<SafeDirectory, 'realPath'>, name: string): void {
  const path = relative(root, join(realPath, name));
  if (isProtected(path)) throw protectedPath(path);
}

/** Returns where the open descriptor lies; throws `outside` unless that is inside the root. Without /proc it resolves the opened path once more. */
export async function assertInside(root: string, descriptor: number, openedAs: string): Promise<string> {
  if (hasDescriptorPaths()) {
    const real = readlinkSync(descriptorPath(descriptor));
    if (!isInside(root, real)) throw outside();
    return real;
  }
  const again = await realpath(openedAs);
  const [opened, named] = await Promise.all([pooledCalls.stat(descriptor), lstat(again)]);
  if (!isInside(root, again) || opened.ino !== named.ino || opened.dev !== named.dev) throw outside();
  return again;
}

export const outside = (): WorkspaceError =>
  new WorkspaceError('outside', 'The path leads out of the workspace.', '该路径指向工作区之外。');

export const notAFile = (shown: string): WorkspaceError =>
  new WorkspaceError('not_a_file', `${shown} is not a regular file.`, `${shown} 不是普通文件。`);

export const notFound = (shown: string): WorkspaceError => new WorkspaceError('not_found', `${shown} does not exist.`, `${shown} 不存在。`);

export const protectedPath = (shown: string): WorkspaceError =>
  new WorkspaceError('protected', `${shown} is protected.`, `${shown} 受保护。`);

/** Returns the system's code of an error, such as `ENOENT`; undefined for any other value. */
export function errorCode(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException | undefined)?.code;
}

/** ELOOP (ENOTDIR for directories) from an open with O_NOFOLLOW means that a symlink has replaced the checked name. */
export function rejectSwapped(thrown: unknown): never {
  if (errorCode(thrown) === 'ELOOP') throw outside();
  throw thrown;
}

export function missingAsUndefined(thrown: unknown): undefined {
  if (errorCode(thrown) === 'ENOENT') return undefined;
  throw thrown;
}

function ignoreExisting(thrown: unknown): undefined {
  if (errorCode(thrown) === 'EEXIST') return undefined;
  throw thrown;
}

export function ignoreNotEmpty(thrown: unknown): void {
  if (errorCode(thrown) !== 'ENOTEMPTY' && errorCode(thrown) !== 'EEXIST') throw thrown;
}
