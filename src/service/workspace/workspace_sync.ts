/** Keeps the workspaces of a tenant at several gateways equal. */

/** Two sessions wrote one path at two gateways: the later text has the path, and the earlier one is kept as another file. */
export interface WorkspaceConflict {
  path: string;
  keptAs: string;
  /** The session that had stored its text; absent for a change outside a run. */
  sessionId?: string;
}

/** The store lacks the bytes of a file, which therefore cannot be brought. */
export interface LostFile {
  path: string;
  isLost: true;
}

/** Reported once at each gateway. */
export type WorkspaceNotice = WorkspaceConflict | LostFile;

/** `sessionId`: the session for which the gateway works. */
export interface SyncOptions {
  sessionId?: string | undefined;
  /** Ends the retries while the store is unavailable. */
  signal?: AbortSignal;
}

export interface WorkspaceSync {
  /** Brings the workspace here up to date. Call it before files are read or changed. Rejects when that fails. */
  bring(tenantId: string, options?: SyncOptions): Promise<readonly WorkspaceNotice[]>;
  /** Says that files may have changed here; without a tenant, those of all tenants. */
  noteWrite(tenantId?: string): void;
  /** Stores what was written here, so that other gateways get it. Does nothing unless files may have changed. Never rejects: the next call tries again. */
  keep(tenantId: string, options?: SyncOptions): Promise<readonly WorkspaceNotice[]>;
}

/** Each gateway has files of its own, or the gateways share a disk. */
export const NO_WORKSPACE_SYNC: WorkspaceSync = {
  bring: async () => [],
  noteWrite: () => {},
  keep: async () => [],
};
