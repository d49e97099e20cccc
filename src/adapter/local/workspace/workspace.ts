import { constants, mkdirSync, realpathSync } from 'node:fs';
import { lstat, mkdir, readFile, realpath, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { DirectoryEntry, FileStat, OpenFile, StagedFile, Workspace } from '../../../port/workspace';
import { WorkspaceError } from '../../../port/workspace';
import { KeyedLock } from '../../../utils/keyed_lock';
import { descriptorPath } from '../disk/descriptor_paths';
import { DiskCalls } from '../disk/disk_calls';
import { callsToList, type ListCalls, listEntries, listEntriesAfter, toFileStat } from '../disk/list_entries';
import { findLookAlikes } from '../disk/look_alikes';
import { isProtected } from '../disk/protected_paths';
import { readWhole } from '../disk/read_whole';
import { replaceFile } from '../disk/replace_file';
import {
  assertInside,
  assertUnprotected,
  holdPath,
  ignoreNotEmpty,
  isInside,
  notAFile,
  notFound,
  openDirectory,
  openOrMakeDirectory,
  outside,
  protectedPath,
  realTarget,
  rejectSwapped,
  releaseHeld,
  type SafeDirectory,
} from '../disk/safe_path';
import { toWorkspaceError } from './workspace_errors';
import { removeLeftBehind, renameStaged, STAGING, stageData, toOpenFile } from './workspace_transfers';

const MAX_TRIES = 5;

/** A name in an open directory. `shown`: its path for messages. */
type ParentEntry = { name: string; shown: string };

export interface WorkspaceOptions {
  /** The calling thread may wait for the disk: for a worker thread. */
  mayBlock?: boolean;
}

/** Opens a directory of this machine as a workspace; creates it when it is missing. Rejects when that fails. */
export async function openWorkspace(root: string, { mayBlock = false }: WorkspaceOptions = {}): Promise<Workspace> {
  await mkdir(root, { recursive: true });
  const real = await realpath(root);
  return new LocalWorkspace(real, resolve(root), new DiskCalls(real, mayBlock));
}

/** Opens a workspace at once, with a few calls that hold the thread. Throws WorkspaceError `io`. For a directory of the gateway on a local disk. */
export function openOwnWorkspace(root: string): Workspace {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const real = realpathSync(root);
    return new LocalWorkspace(real, resolve(root), new DiskCalls(real, false));
  } catch (thrown) {
    throw toWorkspaceError(thrown, 'The workspace');
  }
}

class LocalWorkspace implements Workspace {
  private readonly locks = new KeyedLock();

  /** `alias` is the root as configured, perhaps through a symlink; models may use either path. */
  constructor(
    readonly root: string,
    private readonly alias: string,
    private readonly calls: DiskCalls,
  ) {}

  relative(path: string): string {
    return relative(this.root, this.absolute(path)) || '.';
  }

  async stat(path: string): Promise<FileStat> {
    return this.guarded(path, async () => {
      const held = await holdPath(this.root, this.absolute(path), this.calls);
      if (held === undefined) return toFileStat(await lstat(await this.existing(path)));
      try {
        return toFileStat(await this.calls.quick.stat(held));
      } finally {
        releaseHeld(held);
      }
    });
  }

  async readFile(path: string, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
    return this.guarded(path, async () => {
      const descriptor = (await this.openHeld(path)) ?? (await this.openByRealPath(path));
      try {
        return await readWhole(descriptor, { shown: this.relative(path), maxBytes }, this.calls);
      } finally {
        await this.calls.quick.close(descriptor);
      }
    });
  }

  async writeFile(path: string, data: Uint8Array): Promise<{ created: boolean }> {
    return this.guarded(path, () => this.inParent(path, (directory, file) => replaceFile(directory, { ...file, data }, this.calls)));
  }

  async openFile(path: string): Promise<OpenFile> {
    return this.guarded(path, async () => {
      // A file that is replaced between the walk and the open has no name any more: its successor is meant.
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const descriptor = (await this.openHeld(path)) ?? (await this.openByRealPath(path));
        let file: OpenFile | undefined;
        try {
          const realPath = await assertInside(this.root, descriptor, this.absolute(path));
          file = await toOpenFile(descriptor, relative(this.root, realPath));
          if (file) return file;
        } finally {
          if (!file) await this.calls.quick.close(descriptor);
        }
      }
      throw notFound(this.relative(path));
    });
  }

  async stageFile(data: AsyncIterable<Uint8Array>, { maxBytes }: { maxBytes: number }): Promise<StagedFile> {
    return this.guarded(STAGING, async () => {
      const directory = await openOrMakeDirectory(this.root, await realTarget(this.root, this.absolute(STAGING)));
      try {
        await removeLeftBehind(directory, Date.now());
        const { path: staged, size, hash } = await stageData(directory, data, maxBytes);
        return {
          size,
          hash,
          replace: path => this.guarded(path, () => this.inParent(path, (parent, file) => this.putInPlace(staged, parent, file))),
          discard: async () => {
            await unlink(staged).catch(() => {});
            await directory.handle.close().catch(() => {});
          },
        };
      } catch (thrown) {
        await directory.handle.close();
        throw thrown;
      }
    });
  }

  private async putInPlace(staged: string, parent: SafeDirectory, file: ParentEntry): Promise<{ created: boolean }> {
    const renamed = await renameStaged(staged, parent, file);
    return renamed ?? replaceFile(parent, { ...file, data: await readFile(staged) }, this.calls);
  }

  /** Opens the directory of a file that may not exist yet, and creates it when it is missing. */
  private async inParent<T>(path: string, work: (directory: SafeDirectory, file: ParentEntry) => Promise<T>): Promise<T> {
    const { existing, missing } = await realTarget(this.root, this.absolute(path));
    const target = join(existing, ...missing);
    const shown = this.relative(path);
    if (isProtected(relative(this.root, target))) throw protectedPath(shown);
    if (target === this.root) throw notAFile(shown);
    const parent = missing.length > 0 ? { existing, missing: missing.slice(0, -1) } : { existing: dirname(existing), missing: [] };
    const directory = await openOrMakeDirectory(this.root, parent);
    try {
      assertUnprotected(this.root, directory, basename(target));
      return await work(directory, { name: basename(target), shown });
    } finally {
      await directory.handle.close();
    }
  }

  async removeFile(path: string): Promise<void> {
    await this.guarded(path, async () => {
      const target = await this.existing(path);
      if (isProtected(relative(this.root, target))) throw protectedPath(this.relative(path));
      const directory = await openDirectory(this.root, dirname(target));
      try {
        assertUnprotected(this.root, directory, basename(target));
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
      if (isProtected(relative(this.root, whole))) throw protectedPath(this.relative(path));
      const directory = await openOrMakeDirectory(this.root, target);
      await directory.handle.close();
      return { created: target.missing.length > 0 };
    });
  }

  async removeDirectory(path: string): Promise<void> {
    await this.guarded(path, async () => {
      const target = await this.existing(path);
      const shown = this.relative(path);
      if (target === this.root || isProtected(relative(this.root, target))) throw protectedPath(shown);
      const directory = await openDirectory(this.root, dirname(target));
      try {
        assertUnprotected(this.root, directory, basename(target));
        await rmdir(join(directory.path, basename(target))).catch(ignoreNotEmpty);
      } finally {
        await directory.handle.close();
      }
    });
  }

  async list(path: string, { maxEntries }: { maxEntries?: number } = {}): Promise<DirectoryEntry[]> {
    return this.inDirectory(path, (directory, calls) => listEntries(directory, maxEntries, calls));
  }

  async listPage(path: string, page: { after: string; limit: number }): Promise<{ entries: DirectoryEntry[]; isMore: boolean }> {
    return this.inDirectory(path, (directory, calls) => listEntriesAfter(directory, page, calls));
  }

  async resolvePath(path: string): Promise<string> {
    return relative(this.root, await this.lockKey(path)) || '.';
  }

  async lookAlikes(path: string): Promise<string[]> {
    return findLookAlikes(this.relative(path), { stat: this.stat.bind(this), inDirectory: this.inDirectory.bind(this) });
  }

  withFileLock<T>(path: string, work: () => Promise<T>, { isEntry = false } = {}): Promise<T> {
    // Resolving the real path is asynchronous; one queue keeps the order of the calls.
    // No work can lock a file in a directory that cannot be resolved, so the path is the key of its entry.
    const key = this.locks.run('', () => (isEntry ? this.lockKey(path, { isEntry }).catch(() => this.absolute(path)) : this.lockKey(path)));
    return key.then(target => this.locks.run(target, work));
  }

  /** Returns the absolute, normalised path. Throws `outside` from the text alone, before any I/O. */
  private absolute(path: string): string {
    if (path.includes('\0')) throw new WorkspaceError('outside', 'The path contains a NUL character.', '路径含有 NUL 字符。');
    const wanted = resolve(this.root, path);
    if (isInside(this.root, wanted)) return wanted;
    if (isAbsolute(path) && isInside(this.alias, wanted)) return join(this.root, relative(this.alias, wanted));
    throw outside();
  }

  private async existing(path: string): Promise<string> {
    const { existing, missing } = await realTarget(this.root, this.absolute(path));
    if (missing.length > 0) throw notFound(this.relative(path));
    return existing;
  }

  private lockKey(path: string, { isEntry } = { isEntry: false }): Promise<string> {
    return this.guarded(path, async () => {
      const absolute = this.absolute(path);
      const { existing, missing } = await realTarget(this.root, isEntry ? dirname(absolute) : absolute);
      return join(existing, ...missing, isEntry ? basename(absolute) : '');
    });
  }

  /** Undefined when the file cannot be held; see holdPath. */
  private async openHeld(path: string): Promise<number | undefined> {
    const held = await holdPath(this.root, this.absolute(path), this.calls);
    if (held === undefined) return undefined;
    try {
      // Checks the kind first, because opening a FIFO or device can block or have effects. The descriptor makes sure that the checked file is opened.
      if (!(await this.calls.quick.stat(held)).isFile()) throw notAFile(this.relative(path));
      return await this.calls.quick.open(descriptorPath(held), constants.O_RDONLY | constants.O_NONBLOCK);
    } finally {
      releaseHeld(held);
    }
  }

  private async openByRealPath(path: string): Promise<number> {
    const target = await this.existing(path);
    // fstat after the open decides.
    if (!(await lstat(target)).isFile()) throw notAFile(this.relative(path));
    const descriptor = await this.calls.slow
      .open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      .catch(rejectSwapped);
    try {
      await assertInside(this.root, descriptor, target);
      return descriptor;
    } catch (thrown) {
      await this.calls.slow.close(descriptor);
      throw thrown;
    }
  }

  /** `work` gets a path to the entries that stays valid when the directory is renamed, and the calls to read them with. */
  private inDirectory<T>(path: string, work: (directory: string, calls: ListCalls) => Promise<T>): Promise<T> {
    return this.guarded(path, async () => {
      const held = await holdPath(this.root, this.absolute(path), this.calls, constants.O_DIRECTORY);
      if (held !== undefined) return work(descriptorPath(held), await callsToList(held, this.calls)).finally(() => releaseHeld(held));
      const directory = await openDirectory(this.root, await this.existing(path));
      return work(directory.path, this.calls).finally(() => directory.handle.close());
    });
  }

  /** Converts file system errors into WorkspaceErrors, which name no path of the host. */
  private async guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toWorkspaceError(thrown, this.relative(path));
    }
  }
}
