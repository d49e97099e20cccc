/** The trees of all tenants. The state that a workspace shares with the stored one is a file in the data directory, beside the workspaces. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_TENANT } from '../../../port/principal';
import type { PendingChange, ScannedFile, TreeState, WorkspaceTree, WorkspaceTrees } from '../../../port/workspace_tree';
import type { Workspaces } from '../../../port/workspaces';
import { replaceOwnFile } from '../disk/replace_file';
import { missingAsUndefined } from '../disk/safe_path';
import { tenantFolder } from './tenant_workspaces';
import { readTreeFile, replaceTreeFile, scanTree } from './workspace_tree';

const STATE_FILE = 'workspace-state.json';

/** The content of the file: one list for each workspace file. */
interface StoredState {
  root: string;
  version: number;
  files: [path: string, file: ScannedFile][];
  pending?: readonly PendingChange[];
}

/** `workspaces`: the workspaces whose trees they are. */
export function createWorkspaceTrees(workspaces: Pick<Workspaces, 'workspaceOf'>, dataDir: string): WorkspaceTrees {
  const trees = new Map<string, WorkspaceTree>();
  return {
    treeOf(tenantId) {
      const known = trees.get(tenantId);
      if (known) return known;
      const tree = openTree(workspaces, tenantId, stateFile(dataDir, tenantId));
      trees.set(tenantId, tree);
      return tree;
    },
    async listTenants() {
      const others = (await readdir(join(dataDir, 'tenants')).catch(missingAsUndefined)) ?? [];
      return [DEFAULT_TENANT, ...others].filter(tenantId => existsSync(stateFile(dataDir, tenantId)));
    },
  };
}

const stateFile = (dataDir: string, tenantId: string): string =>
  join(tenantId === DEFAULT_TENANT ? dataDir : tenantFolder(dataDir, tenantId), STATE_FILE);

function openTree(workspaces: Pick<Workspaces, 'workspaceOf'>, tenantId: string, file: string): WorkspaceTree {
  const { workspace } = workspaces.workspaceOf(tenantId);
  const { root } = workspace;
  return {
    async loadState(): Promise<TreeState | undefined> {
      const text = await readFile(file, 'utf8').catch(missingAsUndefined);
      if (text === undefined) return undefined;
      // Trusted: only `saveState` writes the file.
      const stored = JSON.parse(text) as StoredState;
      const { version, files, pending = [] } = stored;
      return stored.root === root ? { version, files: new Map(files), pending } : undefined;
    },
    saveState: ({ version, files, pending }) => {
      const stored: StoredState = { root, version, files: [...files], pending };
      return replaceOwnFile(file, Buffer.from(JSON.stringify(stored)));
    },
    scan: (known, maxFiles) => scanTree(root, known, maxFiles),
    read: path => readTreeFile(root, path),
    replace: (path, before, content) =>
      workspace.withFileLock(path, () => replaceTreeFile(root, path, { before, content }), { isEntry: true }),
  };
}
