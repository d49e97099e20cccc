/** The directory an agent works in. Every path a tool names goes through here; no path or symlink leads out. */

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

/** An expected refusal; tools turn it into an error result for the model. `message` names only workspace-relative paths. */
export class WorkspaceError extends Error {
  constructor(
    readonly code: 'outside' | 'not_found' | 'not_a_file' | 'not_a_directory' | 'exists' | 'too_large' | 'protected' | 'io',
    message: string,
  ) {
    super(message);
    this.name = 'WorkspaceError';
  }
}

export interface Workspace {
  /** Absolute, real path of the root. */
  readonly root: string;
  /** `path` is absolute inside the workspace or relative to it. The relative form, '.' for the root. Throws WorkspaceError `outside`. */
  relative(path: string): string;
  /** Of what the path leads to: a symlink is followed as long as it stays inside. */
  stat(path: string): Promise<FileStat>;
  /** Whole file. Rejects `too_large` above maxBytes (before reading it). */
  readFile(path: string, options: { maxBytes: number }): Promise<Buffer>;
  /** Temp file + fsync + rename; makes parent directories; keeps the mode of an existing file. Resolves whether the file is new. */
  writeFile(path: string, data: Uint8Array): Promise<{ created: boolean }>;
  /** Removes a file; rejects as writeFile does, and `not_found`. */
  removeFile(path: string): Promise<void>;
  /** Makes a directory with its parents; one that is there already is left as it is. Rejects as writeFile does. */
  makeDirectory(path: string): Promise<{ created: boolean }>;
  /** Removes an empty directory; one that holds something is left as it is. Rejects as writeFile does, and `not_found`. */
  removeDirectory(path: string): Promise<void>;
  /** Entries in name order; a symlink is listed as itself, not followed. With maxEntries any so many of a larger directory. */
  list(path: string, options?: { maxEntries: number }): Promise<DirectoryEntry[]>;
  /**
   * Runs `work` alone among all locked work on the same file, in the order of the calls, however the path is spelled. Settles as `work` does.
   * Not re-entrant: `work` must not lock the same file again.
   */
  withFileLock<T>(path: string, work: () => Promise<T>): Promise<T>;
}
