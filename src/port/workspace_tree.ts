/** The files of a tenant's workspace as a whole: what there is, what has changed, and how to bring it to another state. */

/** A file or a symlink. The bytes of a symlink are its target. */
export interface TreeFile {
  /** contentHash of the bytes. */
  hash: string;
  size: number;
  /** Permission bits; 0 for a symlink. */
  mode: number;
  isLink: boolean;
}

/** A file as a scan found it. */
export interface ScannedFile extends TreeFile {
  /** Differs after each change of the file. Absent when the file had changed so recently that another change could leave the same stamp. */
  stamp?: string;
}

export type ScannedFiles = ReadonlyMap<string, ScannedFile>;

/** A stored change of a path that cannot be made here, for example because a folder stands in the place of the file. */
export interface PendingChange extends TreeFile {
  path: string;
  version: number;
  isDeleted: boolean;
  sessionId?: string;
}

/** The state of a workspace that was equal to a stored one, apart from `pending`. */
export interface TreeState {
  /** The version of the stored state. */
  version: number;
  /** The files. A path in `pending` has the file with which it was equal before the pending change; none when there was none. */
  files: ScannedFiles;
  pending: readonly PendingChange[];
}

export interface Scan {
  files: Map<string, ScannedFile>;
  /** Paths of files and folders that are too large to be copied or cannot be read. Files that are known there count as unchanged. */
  leftOut: string[];
}

export type Replaced = ScannedFile | 'changed' | 'unreplaceable' | undefined;

/** The new content of a path. */
export interface TreeContent extends Pick<TreeFile, 'mode' | 'isLink'> {
  bytes: Uint8Array;
}

/**
 * Paths are relative to the workspace, with `/`. Directories exist because of the files in them. Some folders belong to no tree, such as `.git` and
 * `node_modules`: see adapter/local/workspace/workspace_tree.ts.
 */
export interface WorkspaceTree {
  /** Reads the state that was saved last; undefined when there is none, or when it was the state of another directory. */
  loadState(): Promise<TreeState | undefined>;
  /** Saves a state durably. */
  saveState(state: TreeState): Promise<void>;
  /** Finds every file. A file with the stamp that it has in `known` is not read. Rejects with WorkspaceError `too_large` above `maxFiles`. */
  scan(known: ScannedFiles, maxFiles: number): Promise<Scan>;
  /** Reads one file as it is now. Resolves undefined when there is none. */
  read(path: string): Promise<(TreeContent & { file: ScannedFile }) | undefined>;
  /**
   * Writes a path, or removes it when `content` is undefined, with the directories that become empty. Resolves 'changed' without a change when the path
   * is not as `before` says; undefined: nothing is there. Resolves 'unreplaceable', likewise, when something stands in the way that only a person can
   * change: a folder, a file that is too large or cannot be read, missing rights. Resolves with the new file otherwise.
   */
  replace(path: string, before: ScannedFile | undefined, content: TreeContent | undefined): Promise<Replaced>;
}

export interface WorkspaceTrees {
  /** Returns the same tree for every call with the same tenant. */
  treeOf(tenantId: string): WorkspaceTree;
  /** The tenants that have a saved state here. */
  listTenants(): Promise<string[]>;
}
