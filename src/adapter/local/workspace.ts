import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, readdir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type DirectoryEntry, type FileStat, type Workspace, WorkspaceError } from '../../port/workspace';
import { KeyedLock } from '../../utils/keyed_lock';
import { isProtected } from './protected_paths';
import {
  assertInside,
  errorCode,
  isInside,
  openDirectory,
  openOrMakeDirectory,
  outside,
  realTarget,
  rejectSwapped,
  type SafeDirectory,
} from './safe_path';

const DEFAULT_MODE = 0o644;
const LIST_BATCH = 64;

/** Opens a directory of this machine as a workspace; creates it when it is missing. Rejects when that fails. */
export async function openWorkspace(root: string): Promise<Workspace> {
  await mkdir(root, { recursive: true });
  return new LocalWorkspace(await realpath(root), resolve(root));
}

class LocalWorkspace implements Workspace {
  private readonly locks = new KeyedLock();

  /** `alias` is the root as configured, perhaps through a symlink; models may use either path. */
  constructor(
    readonly root: string,
    private readonly alias: string,
  ) {}

  relative(path: string): string {
    return relative(this.root, this.absolute(path)) || '.';
  }

  async stat(path: string): Promise<FileStat> {
    return this.guarded(path, async () => toFileStat(await lstat(await this.existing(path))));
  }

  async readFile(path: string, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
    return this.guarded(path, async () => {
      const target = await this.existing(path);
      // Opening a FIFO or device can block or have effects, so check the kind first; fstat after the open decides.
      if (!(await lstat(target)).isFile()) throw notAFile(this.relative(path));
      const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(rejectSwapped);
      try {
        await assertInside(this.root, handle, target);
        return await this.readWhole(handle, path, maxBytes);
      } finally {
        await handle.close();
      }
    });
  }

  async writeFile(path: string, data: Uint8Array): Promise<{ created: boolean }> {
    return this.guarded(path, async () => {
      const { existing, missing } = await realTarget(this.root, this.absolute(path));
      const target = join(existing, ...missing);
      if (isProtected(relative(this.root, target))) throw new WorkspaceError('protected', `${this.relative(path)} is protected.`);
      if (target === this.root) throw notAFile(this.relative(path));
      const parent = missing.length > 0 ? { existing, missing: missing.slice(0, -1) } : { existing: dirname(existing), missing: [] };
      const directory = await openOrMakeDirectory(this.root, parent);
      try {
        return await replaceFile(directory, basename(target), data, this.relative(path));
      } finally {
        await directory.handle.close();
      }
    });
  }

  async removeFile(path: string): Promise<void> {
    await this.guarded(path, async () => {
      const target = await this.existing(path);
      if (isProtected(relative(this.root, target))) throw new WorkspaceError('protected', `${this.relative(path)} is protected.`);
      const directory = await openDirectory(this.root, dirname(target));
      try {
        const inside = join(directory.path, basename(target));
        if (!(await lstat(inside)).isFile()) throw notAFile(this.relative(path));
        await unlink(inside);
      } finally {
        await directory.handle.close();
      }
    });
  }

  async makeDirectory(path: string): Promise<{ created: boolean }> {
    return this.guarded(path, async () => {
      const target = await realTarget(this.root, this.absolute(path));
      const whole = join(target.existing, ...target.missing);
      if (isProtected(relative(this.root, whole))) throw new WorkspaceError('protected', `${this.relative(path)} is protected.`);
      const directory = await openOrMakeDirectory(this.root, target);
      await directory.handle.close();
      return { created: target.missing.length > 0 };
    });
  }

  async removeDirectory(path: string): Promise<void> {
    await this.guarded(path, async () => {
      const target = await this.existing(path);
      const shown = this.relative(path);
      if (target === this.root || isProtected(relative(this.root, target))) throw new WorkspaceError('protected', `${shown} is protected.`);
      const directory = await openDirectory(this.root, dirname(target));
      try {
        await rmdir(join(directory.path, basename(target))).catch(ignoreNotEmpty);
      } finally {
        await directory.handle.close();
      }
    });
  }

  async list(path: string, { maxEntries }: { maxEntries?: number } = {}): Promise<DirectoryEntry[]> {
    return this.guarded(path, async () => {
      const directory = await openDirectory(this.root, await this.existing(path));
      try {
        const names = (await (maxEntries === undefined ? readdir(directory.path) : someNames(directory.path, maxEntries))).sort();
        const entries: DirectoryEntry[] = [];
        for (let i = 0; i < names.length; i += LIST_BATCH) {
          const batch = await Promise.all(names.slice(i, i + LIST_BATCH).map(name => entryOf(directory, name)));
          entries.push(...batch.filter(entry => entry !== undefined));
        }
        return entries;
      } finally {
        await directory.handle.close();
      }
    });
  }

  withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
    // Resolving the real path is asynchronous; one queue keeps the order of the calls.
    const key = this.locks.run('', () => this.lockKey(path));
    return key.then(target => this.locks.run(target, work));
  }

  /** Returns the absolute, normalised path. Throws `outside` from the text alone, before any I/O. */
  private absolute(path: string): string {
    if (path.includes('\0')) throw new WorkspaceError('outside', 'The path contains a NUL character.');
    const wanted = resolve(this.root, path);
    if (isInside(this.root, wanted)) return wanted;
    if (isAbsolute(path) && isInside(this.alias, wanted)) return join(this.root, relative(this.alias, wanted));
    throw outside();
  }

  private async existing(path: string): Promise<string> {
    const { existing, missing } = await realTarget(this.root, this.absolute(path));
    if (missing.length > 0) throw new WorkspaceError('not_found', `${this.relative(path)} does not exist.`);
    return existing;
  }

  private lockKey(path: string): Promise<string> {
    return this.guarded(path, async () => {
      const { existing, missing } = await realTarget(this.root, this.absolute(path));
      return join(existing, ...missing);
    });
  }

  private async readWhole(handle: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
    const opened = await handle.stat();
    if (!opened.isFile()) throw notAFile(this.relative(path));
    const tooLarge = () => new WorkspaceError('too_large', `${this.relative(path)} is larger than ${maxBytes} bytes.`);
    if (opened.size > maxBytes) throw tooLarge();
    const bytes = await readUpTo(handle, opened.size, maxBytes);
    if (!bytes) throw tooLarge();
    return bytes;
  }

  /** Converts file system errors into WorkspaceErrors, which name no path of the host. */
  private async guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw thrown instanceof WorkspaceError ? thrown : toWorkspaceError(thrown, this.relative(path));
    }
  }
}

/** Reads the whole file; undefined when it has grown over the limit since it was opened. */
async function readUpTo(handle: FileHandle, expected: number, maxBytes: number): Promise<Buffer | undefined> {
  let buffer = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(length * 2, maxBytes + 1));
  }
}

/** Writes a temporary file and renames it over the old one, so that readers see either whole file, also after a crash. */
async function replaceFile(directory: SafeDirectory, name: string, data: Uint8Array, shown: string): Promise<{ created: boolean }> {
  const target = join(directory.path, name);
  const old = await lstat(target).catch(missingAsUndefined);
  if (old && !old.isFile()) throw notAFile(shown);
  const temporary = join(directory.path, `.${randomBytes(9).toString('hex')}.tmp`);
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    try {
      await handle.writeFile(data);
      await keepOwner(handle, old);
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

/** Only root may change the owner; other users own the new file anyway. */
async function keepOwner(handle: FileHandle, old: Stats | undefined): Promise<void> {
  if (old) await handle.chown(old.uid, old.gid).catch(() => {});
}

/** Reads at most `most` names: a directory may hold millions. */
async function someNames(path: string, most: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(path)) {
    if (names.length >= most) break;
    names.push(name);
  }
  return names;
}

async function entryOf(directory: SafeDirectory, name: string): Promise<DirectoryEntry | undefined> {
  const stats = await lstat(join(directory.path, name)).catch(missingAsUndefined);
  return stats && { name, ...toFileStat(stats) };
}

function toFileStat(stats: Stats): FileStat {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other';
  return { kind, size: kind === 'directory' ? 0 : stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
}

const notAFile = (shown: string): WorkspaceError => new WorkspaceError('not_a_file', `${shown} is not a regular file.`);

function toWorkspaceError(thrown: unknown, shown: string): WorkspaceError {
  const code = errorCode(thrown);
  switch (code) {
    case 'ENOENT':
      return new WorkspaceError('not_found', `${shown} does not exist.`);
    case 'ENOTDIR':
      return new WorkspaceError('not_a_directory', `${shown}: a file stands where a directory is needed.`);
    case 'EISDIR':
      return notAFile(shown);
    default:
      return new WorkspaceError('io', `${shown} (${code ?? 'unknown error'})`);
  }
}

function ignoreNotEmpty(thrown: unknown): void {
  if (errorCode(thrown) !== 'ENOTEMPTY' && errorCode(thrown) !== 'EEXIST') throw thrown;
}

function missingAsUndefined(thrown: unknown): undefined {
  if (errorCode(thrown) === 'ENOENT') return undefined;
  throw thrown;
}
