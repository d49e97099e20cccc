/** The stored state of the workspaces of tenants: which file has which bytes, at which version; and the bytes. */
import type { Blob } from '../../../port/blob_store';
import type { TreeFile } from '../../../port/workspace_tree';

/** One path of a tenant's workspace. A path that was deleted keeps its row, so that other gateways delete the file. */
export interface WorkspaceFileRecord extends TreeFile {
  tenantId: string;
  path: string;
  /** The version of the workspace that the change made. */
  version: number;
  isDeleted: boolean;
  /** The session whose run was the last to write it; absent for a change outside a run. */
  sessionId?: string;
}

/** The newest version of a workspace: 0 before the first. */
export interface WorkspaceHead {
  version: number;
  files: number;
  bytes: number;
}

export interface WorkspaceFileReader {
  head(tenantId: string): Promise<WorkspaceHead>;
  /** Reads the paths that have changed after a version. */
  changedSince(tenantId: string, version: number): Promise<WorkspaceFileRecord[]>;
  /** Resolves true when a path that exists has these bytes. */
  namesHash(tenantId: string, hash: string): Promise<boolean>;
}

export interface WorkspaceFileWriter {
  /** Stores the next version. Resolves false, and stores nothing, when the newest version is not `head.version - 1`: another gateway was faster. */
  commit(tenantId: string, head: WorkspaceHead, changed: readonly WorkspaceFileRecord[]): Promise<boolean>;
}

export interface WorkspaceBlobReader {
  get(tenantId: string, hash: string): Promise<Uint8Array | undefined>;
}

export interface WorkspaceBlobWriter {
  /** Gives a blob the time of its last use. Resolves false when there is none. */
  touch(tenantId: string, hash: string, now: number): Promise<boolean>;
  /** Stores blobs; one that exists gets the time alone. */
  put(tenantId: string, blobs: readonly Blob[], now: number): Promise<void>;
  /** All tenants: deletes at most `limit` blobs that were not used since `before` and that no path names. Resolves with their number. */
  deleteUnused(before: number, limit: number): Promise<number>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly workspaceFiles: WorkspaceFileReader;
    readonly workspaceBlobs: WorkspaceBlobReader;
  }
  interface StoreWriters {
    workspaceFiles: WorkspaceFileWriter;
    workspaceBlobs: WorkspaceBlobWriter;
  }
}
