/** Keeps the undo changes of each tenant apart, so that changes of one tenant never evict those of another. */
import { join } from 'node:path';
import { DEFAULT_TENANT } from '../../../port/principal';
import type { UndoStore } from '../../../port/undo_store';
import { tenantFolder } from './tenant_workspaces';
import { openUndoFiles } from './undo_files';

/** The default tenant keeps the folder that the gateway had before there were tenants. Rejects when that cannot be opened. */
export async function openTenantUndo(dataDir: string): Promise<UndoStore> {
  const own = await openUndoFiles({ directory: join(dataDir, 'undo') });
  const opened = new Map<string, Promise<UndoStore>>([[DEFAULT_TENANT, Promise.resolve(own)]]);
  const storeOf = (tenantId: string): Promise<UndoStore> => {
    const known = opened.get(tenantId);
    if (known) return known;
    const opening = openUndoFiles({ directory: join(tenantFolder(dataDir, tenantId), 'undo') });
    opened.set(tenantId, opening);
    // The next change tries again.
    opening.catch(() => opened.delete(tenantId));
    return opening;
  };
  return {
    keep: async (key, change) => (await storeOf(key.tenantId)).keep(key, change),
    find: async key => (await storeOf(key.tenantId)).find(key),
    stateOf: async key => (await storeOf(key.tenantId)).stateOf(key),
    forget: async key => (await storeOf(key.tenantId)).forget(key),
    markUndone: async (key, redo) => (await storeOf(key.tenantId)).markUndone(key, redo),
  };
}
