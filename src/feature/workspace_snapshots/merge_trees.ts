/** Decides what becomes of each path that has changed here, in the store, or in both, since the two were equal. */
import { posix } from 'node:path';
import type { ScannedFile, ScannedFiles, TreeFile } from '../../port/workspace_tree';
import type { WorkspaceFileRecord } from './store/snapshot_records';

export interface Trees {
  /** The files when the workspace and the store were equal. */
  known: ScannedFiles;
  /** The files here. */
  local: ScannedFiles;
  /** The paths that have changed in the store since. */
  stored: readonly WorkspaceFileRecord[];
  /** Which of two texts of one path is the later one, which keeps the path. */
  later: 'local' | 'stored';
}

/** Two texts of one path. The earlier one gets the name `keptAs`. */
export interface Conflict {
  stored: WorkspaceFileRecord;
  local: ScannedFile;
  keptAs: string;
}

export interface Merge {
  /** The files to bring from the store to this workspace. `before`: the file here. */
  bring: { stored: WorkspaceFileRecord; before: ScannedFile | undefined }[];
  conflicts: Conflict[];
}

/** A change beats a deletion: the file that one session changed and another one deleted stays. */
export function mergeTrees({ known, local, stored, later }: Trees): Merge {
  const merge: Merge = { bring: [], conflicts: [] };
  for (const row of stored) {
    const before = local.get(row.path);
    const isUnchanged = isSameFile(before, known.get(row.path));
    if (isSameFile(before, row.isDeleted ? undefined : row)) continue;
    if (isUnchanged || (!before && !row.isDeleted)) merge.bring.push({ stored: row, before });
    else if (before && !row.isDeleted && before.hash !== row.hash)
      merge.conflicts.push({ stored: row, local: before, keptAs: conflictName(row.path, later === 'local' ? row.hash : before.hash) });
  }
  // A folder may stand where a file is deleted.
  merge.bring.sort((one, other) => Number(other.stored.isDeleted) - Number(one.stored.isDeleted));
  return merge;
}

/** Returns true for two files with the same bytes and mode, and for two paths without a file. */
export const isSameFile = (one: TreeFile | undefined, other: TreeFile | undefined): boolean =>
  one?.hash === other?.hash && one?.mode === other?.mode && one?.isLink === other?.isLink;

/** `report.md` -> `report.conflict-1a2b3c.md`. `hash`: that of the text which gets the name. */
function conflictName(path: string, hash: string): string {
  const { dir, name, ext } = posix.parse(path);
  return posix.join(dir, `${name}.conflict-${hash.slice(0, 6)}${ext}`);
}
