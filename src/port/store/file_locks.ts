/** Locks of workspace files on a disk that several nodes share. A lock lasts until its node releases it or has no lease any more. */

export interface FileLock {
  tenantId: string;
  /** Relative to the workspace, without symlinks. */
  path: string;
  /** Instance id of the node that holds the lock. */
  owner: string;
}

export interface FileLockWriter {
  /** Resolves false when another node that has a lease holds the lock. A node may take its own lock again. `now` is the time of the caller. */
  acquire(lock: FileLock, now: number): Promise<boolean>;
  /** Does nothing when another node holds the lock. */
  release(lock: FileLock): Promise<void>;
}
