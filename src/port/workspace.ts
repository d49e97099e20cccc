/** The directory that an agent works in. Tools reach files only through this port; no path and no symlink leads out of it. */

export interface FileStat {
  kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes; 0 for directories. */
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

export interface DirectoryEntry extends FileStat {
  name: string;
}

/** An open file. It stays the same file when another one takes its name; the caller closes it. */
export interface OpenFile extends Pick<FileStat, 'size' | 'modifiedAt'> {
  /** Path of the file itself, relative to the root: symlinks on the way are resolved. */
  readonly path: string;
  /** A text that differs after each change of the file. */
  readonly version: string;
  /** Reads the bytes from `start` up to `end`, without the byte at `end`. Rejects with `io` when the file has become shorter. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The bytes of a new file that has no path yet. Call `discard` in every case; when the process ends before, `list` shows no file. */
export interface StagedFile {
  readonly size: number;
  /** contentHash of the bytes. */
  readonly hash: string;
  /** Moves the bytes to the path, as writeFile does. Call it once. */
  replace(path: string): Promise<{ created: boolean }>;
  /** Removes the bytes unless `replace` has moved them. Never rejects. */
  discard(): Promise<void>;
}

/** An expected failure; tools turn it into an error result for the model. `message` names only workspace-relative paths. Errors `io` have it in Chinese too. */
export class WorkspaceError extends Error {
  constructor(
    readonly code: 'outside' | 'not_found' | 'not_a_file' | 'not_a_directory' | 'exists' | 'too_large' | 'protected' | 'io',
    message: string,
    readonly messageZh: string,
  ) {
    super(message);
    this.name = 'WorkspaceError';
  }
}

/**
 * In every method `path` is absolute inside the workspace or relative to it. Methods reject with WorkspaceError: `outside`, `protected`,
 * `not_found`, `io`, and the codes that they name.
 *
 * @example
 * import type { Workspace } from './workspace';
 *
 * // Adds a line to a file. The lock keeps other changes of the file out between reading and writing.
 * export function appendLine(workspace: Workspace, path: string, line: string): Promise<{ created: boolean }> {
 *   return workspace.withFileLock(path, async () => {
 *     const bytes = await workspace.readFile(path, { maxBytes: 1_000_000 });
 *     return workspace.writeFile(path, Buffer.concat([bytes, Buffer.from(`${line}\n`)]));
 *   });
 * }
 */
export interface Workspace {
  /** Absolute path of the root, symlinks resolved. */
  readonly root: string;
  /** Returns the path relative to the root, '.' for the root. Throws WorkspaceError `outside`. */
  relative(path: string): string;
  /** Describes the target of a symlink, not the link. */
  stat(path: string): Promise<FileStat>;
  /** Reads a whole file. Rejects with `too_large` above maxBytes, before it reads anything, and with `not_a_file`. */
  readFile(path: string, options: { maxBytes: number }): Promise<Buffer>;
  /** Replaces the file durably, and atomically unless it is mounted alone. A hard link in another directory keeps the old content. Creates parent directories. Keeps the mode of an existing file. `created`: the file is new. */
  writeFile(path: string, data: Uint8Array): Promise<{ created: boolean }>;
  /** Opens a file to read it in pieces. Rejects with `not_a_file`. */
  openFile(path: string): Promise<OpenFile>;
  /**
   * Writes bytes as they arrive, and syncs them. Rejects with `too_large` above maxBytes, and when `data` rejects; in both cases no bytes are kept.
   */
  stageFile(data: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<StagedFile>;
  /** Removes a file. Rejects with `not_a_file` for a directory. */
  removeFile(path: string): Promise<void>;
  /** Creates a directory and its parents. Does nothing when the directory exists. */
  makeDirectory(path: string): Promise<{ created: boolean }>;
  /** Removes an empty directory. Does nothing when the directory has entries. */
  removeDirectory(path: string): Promise<void>;
  /** Lists entries in name order; a symlink is listed as itself. A directory with more than maxEntries entries gives any maxEntries of them. */
  list(path: string, options?: { maxEntries: number }): Promise<DirectoryEntry[]>;
  /** Lists at most `limit` entries whose names come after `after` in name order ('' for the first page). */
  listPage(path: string, page: { after: string; limit: number }): Promise<{ entries: DirectoryEntry[]; isMore: boolean }>;
  /** Resolves with the path relative to the root with its symlinks resolved, also for a file that does not exist yet. */
  resolvePath(path: string): Promise<string>;
  /** Resolves with at most 5 existing paths, relative to the root, that differ from `path` only in characters that look the same. */
  lookAlikes(path: string): Promise<string[]>;
  /**
   * Runs `work` while no other locked work on the same file runs, in the order of the calls, whatever form the path has. Settles as `work`
   * does. Not re-entrant: `work` must not lock the same file again. A symlink stands for its target, unless `isEntry` says that `work` replaces the
   * symlink itself.
   */
  withFileLock<T>(path: string, work: () => Promise<T>, options?: { isEntry?: boolean }): Promise<T>;
}
