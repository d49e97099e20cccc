/**
 * Paths that cannot be led astray. A check on a name is worth nothing once a symlink can be swapped in behind it, so directories are opened first, the
 * open descriptor is checked, and everything else happens below that descriptor.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { WorkspaceError } from '../../port/workspace';

/** Where a path leads: the real path of what exists of it, and the components that do not exist yet. */
export interface RealTarget {
  existing: string;
  missing: string[];
}

const DESCRIPTORS = '/proc/self/fd';
const hasDescriptorPaths = (): boolean => existsSync(DESCRIPTORS);

/** Whether `path` is `root` or below it; both absolute and normal. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Follows symlinks of everything that exists. Throws WorkspaceError `outside`, or `not_a_file` for a symlink that leads nowhere. */
export async function realTarget(root: string, absolute: string): Promise<RealTarget> {
  const missing: string[] = [];
  let current = absolute;
  for (;;) {
    const existing = await realpath(current).catch(ignoreMissing);
    if (existing !== undefined) {
      if (!isInside(root, existing)) throw outside();
      return { existing, missing };
    }
    if (await lstat(current).catch(ignoreMissing)) throw new WorkspaceError('not_a_file', 'The path is a symlink that leads nowhere.');
    // The root itself may have been removed; climbing above it would only find directories of the host.
    if (current === root) throw new WorkspaceError('not_found', 'The workspace directory does not exist.');
    missing.unshift(basename(current));
    current = dirname(current);
  }
}

/** An open directory inside the root. */
export interface SafeDirectory {
  handle: FileHandle;
  /** A path by which its entries can be reached, whatever is renamed meanwhile. */
  path: string;
}

/** Opens a directory by its real path and makes sure that what was opened lies inside the root. The caller closes the handle. */
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

/** Opens the directory `target` names, making what is missing of it. The caller closes the handle. */
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

/** Makes sure that an open descriptor lies inside the root. Without /proc the path it was opened by is resolved once more. */
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

/** With O_NOFOLLOW a symlink in the place of a checked name is a swap (ELOOP, or ENOTDIR for directories). */
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
