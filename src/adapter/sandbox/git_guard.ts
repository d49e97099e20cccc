/**
 * Keeps a command from changing the files that git obeys; it may write everything else below `.git`. A mount point cannot be renamed or removed, but
 * its parent can: so `.git` is mounted over itself, and the protected entries are mounted read-only over that.
 */

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GIT, PROTECTED_IN_GIT } from '../local/disk/protected_paths';
import { errorCode } from '../local/disk/safe_path';
import { FIRST_DESCRIPTOR } from '../local/shell/shell';

export interface GuardedMount {
  /** Inside the workspace. */
  path: string;
  isWritable: boolean;
}

export interface GitGuard {
  /** Paths to mount over themselves, in this order. */
  mounts: readonly GuardedMount[];
  /** One per mount: the file or directory that must be mounted there. */
  descriptors: readonly number[];
  /** Releases the guard. Call it once, when every process of the command is dead. Never rejects. */
  release(): Promise<void>;
}

/** Refers to the file without opening it: needs no permission, has no effect on devices. Missing in Node's constants. */
const O_PATH = 0o10000000;

/** A symlink in place of a protected entry is not mounted: that would bring its target, from outside, into the sandbox. */
export async function guardGit(root: string): Promise<GitGuard> {
  const path = join(root, GIT);
  const git = await hold(path);
  if (!git) return { mounts: [], descriptors: [], release: async () => {} };
  const stats = await git.stat();
  // In the sandbox even root cannot read a directory whose owner denied access.
  const isOpen = stats.isDirectory() && (stats.mode & constants.S_IXUSR) !== 0;
  const inside = isOpen ? await holdInside(`/proc/self/fd/${git.fd}`) : undefined;
  const found = inside?.found ?? [];
  const handles = [git, ...found.map(({ handle }) => handle)];
  return {
    // Guard a file, or an unreadable directory, as a whole.
    mounts: [{ path, isWritable: inside !== undefined }, ...found.map(({ name }) => ({ path: join(path, name), isWritable: false }))],
    descriptors: handles.map(({ fd }) => fd),
    async release() {
      await Promise.all((inside?.missing ?? []).map(name => unlink(`/proc/self/fd/${git.fd}/${name}`).catch(() => {})));
      await Promise.all(handles.map(handle => handle.close().catch(() => {})));
    },
  };
}

/**
 * Shell text to run in the sandbox before the command, with the paths of the mounts as its first arguments; empty when nothing is guarded.
 * Mounts are found by name, and another command may replace a name by a symlink in between. So the text compares each mount with its descriptor,
 * refuses when they differ, closes the descriptors, and shifts the paths away.
 */
export function checkScript(mounts: readonly GuardedMount[]): string {
  if (mounts.length === 0) return '';
  const descriptors = mounts.map((_, i) => FIRST_DESCRIPTOR + i);
  const same = descriptors.map((fd, i) => `[ /proc/self/fd/${fd} -ef "$${i + 1}" ]`).join(' && ');
  const close = descriptors.map(fd => `${fd}<&-`).join(' ');
  const refuse = '{ echo ".git was replaced, or closed to the command, while it was started: it did not run" >&2; exit 126; }';
  return `${same} || ${refuse}; exec ${close}; shift ${mounts.length};`;
}

interface HeldInside {
  found: { name: string; handle: FileHandle }[];
  /** Missing entries that git would obey. They cannot be mounted over, so they are removed after the command if it created them. */
  missing: string[];
}

/** Returns undefined when the directory cannot be read. */
async function holdInside(directory: string): Promise<HeldInside | undefined> {
  const found: HeldInside['found'] = [];
  const missing: string[] = [];
  try {
    // Creates both directories when they are missing: every repository has them, and empty ones have no effect.
    await mkdir(join(directory, 'hooks')).catch(ignoreExisting);
    await writeFile(join(directory, 'config'), '', { flag: 'wx' }).catch(ignoreExisting);
    for (const name of PROTECTED_IN_GIT) {
      const handle = await hold(join(directory, name), () => missing.push(name));
      if (handle) found.push({ name, handle });
    }
    return { found, missing };
  } catch {
    await Promise.all(found.map(({ handle }) => handle.close()));
    return undefined;
  }
}

/** Opens a file or directory; undefined for anything else. */
async function hold(path: string, onMissing?: () => void): Promise<FileHandle | undefined> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW).catch((thrown: unknown) => {
    if (errorCode(thrown) !== 'ENOENT') throw thrown;
    onMissing?.();
  });
  if (!handle) return undefined;
  const stats = await handle.stat();
  if (stats.isDirectory() || stats.isFile()) return handle;
  await handle.close();
  return undefined;
}

function ignoreExisting(thrown: unknown): void {
  if (errorCode(thrown) !== 'EEXIST') throw thrown;
}
