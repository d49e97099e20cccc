/** Builds the services of files that people change: lists, uploads, and the undo of changes. */
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import type { Slot } from '../../utils/slot';
import { UndoService, type UndoServiceDeps } from '../tool/undo_service';
import type { WorkspaceSync } from '../workspace/workspace_sync';
import { FileChangeLog, type FileChangeLogDeps } from './file_change_log';
import { FileService, type FileServiceDeps } from './file_service';

type Deps = Omit<FileChangeLogDeps, 'onChange'> &
  UndoServiceDeps['ports'] &
  Pick<FileServiceDeps, 'workspaces' | 'auditLog'> & { cache: ResultCache; workspaceSync: Slot<WorkspaceSync> };

/** A person waits for the answer. */
const ONE_TRY = { signal: AbortSignal.abort() };

/**
 * Builds both services. A change or an undo drops the cached results of the tenant, because these may show the file as it was, and is stored for other
 * gateways before it is answered.
 */
export function createFileServices({ store, clock, ids, identity, undoStore, workspaces, auditLog, cache, workspaceSync, onError }: Deps) {
  const onChange = (tenantId: string) => cache.invalidate(tenantId);
  const keep = (tenantId: string) => workspaceSync.current.keep(tenantId, ONE_TRY);
  const bring = (tenantId: string) => workspaceSync.current.bring(tenantId);
  const changeLog = new FileChangeLog({ store, clock, ids, identity, undoStore, onChange, onError });
  return {
    undoService: new UndoService({ ports: { store, workspaces, undoStore }, bring, onChange, keep }),
    fileService: new FileService({ workspaces, changeLog, auditLog, bring, keep }),
  };
}
