/** The files of a workspace and of the store, apart from the stored changes that cannot be made in the workspace. */
import type { PendingChange, ScannedFile, ScannedFiles } from '../../port/workspace_tree';
import type { WorkspaceFileRecord } from './store/snapshot_records';

/** The stored changes that are to be made: those that were pending, and the newer ones. */
export function withPending(
  tenantId: string,
  pending: readonly PendingChange[],
  changed: readonly WorkspaceFileRecord[],
): readonly WorkspaceFileRecord[] {
  if (pending.length === 0) return changed;
  const rows = new Map<string, WorkspaceFileRecord>();
  for (const row of pending) rows.set(row.path, { ...row, tenantId });
  for (const row of changed) rows.set(row.path, row);
  return [...rows.values()];
}

/** Returns the files after the stored changes. */
export function withRows(files: ScannedFiles, rows: readonly WorkspaceFileRecord[]): ScannedFiles {
  if (rows.length === 0) return files;
  const next = new Map<string, ScannedFile>(files);
  for (const { path, isDeleted, hash, size, mode, isLink } of rows) {
    if (isDeleted) next.delete(path);
    else next.set(path, { hash, size, mode, isLink });
  }
  return next;
}

/** Returns `files` with the files of `earlier` at the pending paths: what was not brought is compared with what was known before. */
export function withFilesOf(files: ScannedFiles, earlier: ScannedFiles, pending: readonly PendingChange[]): ScannedFiles {
  if (pending.length === 0) return files;
  const next = new Map(files);
  for (const { path } of pending) {
    const file = earlier.get(path);
    if (file) next.set(path, file);
    else next.delete(path);
  }
  return next;
}
