/** Reports changes below a few directories. The kernel reports them; where it cannot, the times of the directories are compared every 400 ms. */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** Changes that arrive within this time are reported together. */
const SETTLE_MS = 100;
const POLL_MS = 400;
/** Directories beyond these are not watched. */
const MAX_WATCHED = 2_000;
/** The most files of one directory whose times are compared. */
const MAX_COMPARED_FILES = 200;

export interface DirectoryWatchOptions {
  /** Lists the directories to watch; a missing one is skipped. */
  listDirectories: () => Promise<string[]>;
  onChange: () => void;
}

interface Watched {
  watcher: FSWatcher;
  inode: number;
}

export class DirectoryWatch {
  private readonly watched = new Map<string, Watched>();
  private settling: NodeJS.Timeout | undefined;
  private poll: NodeJS.Timeout | undefined;
  private seen = '';
  private isClosed = false;

  constructor(private readonly options: DirectoryWatchOptions) {}

  /** Watches the directories as they are now. Call it again after each change, to watch new directories and forget removed ones. */
  async update(): Promise<void> {
    const directories = (await this.options.listDirectories()).slice(0, MAX_WATCHED);
    if (this.isClosed) return;
    for (const path of this.watched.keys()) if (!directories.includes(path)) this.forget(path);
    const isComplete = (await Promise.all(directories.map(path => this.watchOne(path)))).every(Boolean);
    if (!isComplete) this.startPolling();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.settling);
    clearTimeout(this.poll);
    for (const path of [...this.watched.keys()]) this.forget(path);
  }

  /** Resolves with false when the kernel cannot watch the directory. A directory that was replaced by another of its name is watched anew. */
  private async watchOne(path: string): Promise<boolean> {
    const stats = await stat(path).catch(() => undefined);
    if (this.isClosed || !stats) return true;
    const known = this.watched.get(path);
    if (known?.inode === stats.ino) return true;
    this.forget(path);
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => {
        // The directory itself is gone or has moved; its successor may have the same inode.
        if (name === basename(path)) this.forget(path);
        this.noteChange();
      });
      watcher.on('error', () => {
        this.forget(path);
        this.startPolling();
      });
      this.watched.set(path, { watcher, inode: stats.ino });
      return true;
    } catch {
      return false;
    }
  }

  private forget(path: string): void {
    this.watched.get(path)?.watcher.close();
    this.watched.delete(path);
  }

  private noteChange(): void {
    if (this.isClosed) return;
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      this.options.onChange();
    }, SETTLE_MS).unref();
  }

  private startPolling(): void {
    if (this.poll || this.isClosed) return;
    this.poll = setTimeout(() => void this.compare(), POLL_MS).unref();
  }

  private async compare(): Promise<void> {
    const directories = (await this.options.listDirectories()).slice(0, MAX_WATCHED);
    const times = await Promise.all(directories.map(path => timesOf(path)));
    const now = times.join('\n');
    if (this.seen !== '' && this.seen !== now) this.noteChange();
    this.seen = now;
    this.poll = undefined;
    this.startPolling();
  }
}

/** A directory's own time changes with its entries, not with the content of a file, so the times of files that are read count too. */
async function timesOf(path: string): Promise<string> {
  const names = await readdir(path).catch(() => []);
  const files = names.filter(name => /^SKILL\.md$|\.ya?ml$/i.test(name)).slice(0, MAX_COMPARED_FILES);
  const stats = await Promise.all([path, ...files.map(name => `${path}/${name}`)].map(entry => stat(entry).catch(() => undefined)));
  return `${path} ${stats.map(found => `${found?.mtimeMs} ${found?.size}`).join(' ')}`;
}
