/** The workspace of each tenant: its files, and the search and the shell that work there. Nothing of one tenant leads to another tenant's files. */
import type { FileSearch } from './file_search';
import type { Shell } from './shell';
import type { Workspace } from './workspace';

export interface TenantWorkspace {
  readonly workspace: Workspace;
  /** Runs commands in the workspace. In a sandbox they see no other tenant's workspace. */
  readonly shell: Shell;
  readonly fileSearch: Omit<FileSearch, 'close'>;
}

/**
 * @example
 * import type { TenantWorkspace, Workspaces } from './workspaces';
 *
 * // One workspace for every tenant, for tests of a single tenant.
 * export const oneWorkspace = (only: TenantWorkspace): Workspaces => ({
 *   hasSeveralTenants: false,
 *   workspaceOf: () => only,
 *   close: async () => {},
 * });
 */
export interface Workspaces {
  /** True once a tenant other than the default one has a workspace here, also in an earlier process. */
  readonly hasSeveralTenants: boolean;
  /**
   * Returns the same object for every call with the same tenant, and creates the directory of a new one. Throws WorkspaceError `outside` for a
   * name that `isTenantName` refuses, and `io` when the directory cannot be created.
   */
  workspaceOf(tenantId: string): TenantWorkspace;
  /** Terminates the running searches and rejects them. */
  close(): Promise<void>;
}
