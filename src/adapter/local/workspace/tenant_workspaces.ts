/** Opens the workspaces of tenants: NETA_WORKSPACE for the default tenant, a folder of the data directory for each other one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_TENANT } from '../../../port/principal';
import { WorkspaceError } from '../../../port/workspace';
import type { TenantWorkspace, Workspaces } from '../../../port/workspaces';
import { isTenantName } from '../../../utils/tenant_name';

export interface TenantWorkspacesOptions {
  /** The workspace of the default tenant. */
  own: TenantWorkspace;
  /** Opens a directory as a workspace, and creates a missing directory. Throws WorkspaceError `io`. */
  openAt: (root: string) => TenantWorkspace;
  dataDir: string;
  close: () => Promise<void>;
}

/** The folder of a tenant in the data directory. Throws WorkspaceError `outside` for a name that is no tenant's. */
export function tenantFolder(dataDir: string, tenantId: string): string {
  if (!isTenantName(tenantId)) throw new WorkspaceError('outside', 'This is no name of a tenant.', '这不是租户名称。');
  return join(dataDir, 'tenants', tenantId);
}

/** Creates the workspaces of all tenants. `own`: the workspace of the default tenant. */
export function createTenantWorkspaces({ own, openAt, dataDir, close }: TenantWorkspacesOptions): Workspaces {
  // Never evicted: a workspace holds the locks of its files.
  const opened = new Map<string, TenantWorkspace>([[DEFAULT_TENANT, own]]);
  let hasSeveralTenants = hasEntries(join(dataDir, 'tenants'));
  return {
    get hasSeveralTenants() {
      return hasSeveralTenants;
    },
    workspaceOf(tenantId) {
      const known = opened.get(tenantId);
      if (known) return known;
      const made = openAt(join(tenantFolder(dataDir, tenantId), 'workspace'));
      opened.set(tenantId, made);
      hasSeveralTenants = true;
      return made;
    },
    close,
  };
}

function hasEntries(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    return false;
  }
}
