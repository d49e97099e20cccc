/** The settings of the workspace: where it lies, and how its files reach other gateways. */
import { holds, realPathOf } from '../real_path';
import { SettingError } from './read_values';
import type { SettingValues } from './settings_schema';

/** Says how files reach other gateways. `directory`: holds the bytes of snapshots; absent: the store does. `files`, `bytes`: limits of a tenant. */
export interface WorkspaceStore {
  kind: SettingValues['NETA_WORKSPACE_STORE'];
  directory?: string;
  files: number;
  bytes: number;
}

interface Places {
  /** Makes a path absolute. */
  at: (path: string) => string;
  root: string;
  configDir: string;
  dataDir: string;
}

const MEBIBYTE = 1024 * 1024;

/** Throws a SettingError. */
export function toWorkspace(values: SettingValues, { at, ...places }: Places): { workspace: string; workspaceStore: WorkspaceStore } {
  const { NETA_WORKSPACE_STORE: kind, NETA_WORKSPACE_SNAPSHOT_DIR: given, NETA_WORKSPACE_SNAPSHOT_FILES: files } = values;
  if (kind !== 'local' && !values.DATABASE_URL)
    throw new SettingError(`NETA_WORKSPACE_STORE=${kind} is for several gateways: set DATABASE_URL, or use NETA_WORKSPACE_STORE=local.`);
  const workspace = at(values.NETA_WORKSPACE);
  const directory = given ? at(given) : undefined;
  assertApart(workspace, { ...places, directory });
  return { workspace, workspaceStore: { kind, directory, files, bytes: values.NETA_WORKSPACE_SNAPSHOT_MB * MEBIBYTE } };
}

/** Throws when the workspace overlaps the configuration, the data or the program: the agent may change everything in its workspace. */
function assertApart(
  workspace: string,
  { configDir, dataDir, root, directory }: Omit<Places, 'at'> & Pick<WorkspaceStore, 'directory'>,
): void {
  const place = realPathOf(workspace);
  if (holds(place, realPathOf(root))) {
    throw new SettingError(
      `NETA_WORKSPACE: ${workspace} holds the gateway itself, which the agent could change: choose another directory.`,
    );
  }
  const others = { NETA_CONFIG_DIR: configDir, NETA_DATA_DIR: dataDir, NETA_WORKSPACE_SNAPSHOT_DIR: directory };
  for (const [name, path] of Object.entries(others)) {
    if (path === undefined) continue;
    const other = realPathOf(path);
    if (!holds(place, other) && !holds(other, place)) continue;
    throw new SettingError(
      `NETA_WORKSPACE: ${workspace} and ${name} (${path}) must lie apart, or the agent could change what is in the latter.`,
    );
  }
}
