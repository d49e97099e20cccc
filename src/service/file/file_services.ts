/** Builds the services of files that people change: lists, uploads, and the undo of changes. */
import type { ResultCache } from '../../runtime/tool_runner/result_cache';
import { UndoService, type UndoServiceDeps } from '../tool/undo_service';
import { FileChangeLog, type FileChangeLogDeps } from './file_change_log';
import { FileService, type FileServiceDeps } from './file_service';

type Deps = Omit<FileChangeLogDeps, 'onChange'> &
  UndoServiceDeps['ports'] &
  Pick<FileServiceDeps, 'workspaces' | 'auditLog'> & { cache: ResultCache };

/** Builds both services. A change or an undo drops the cached results of the tenant, because these may show the file as it was. */
export function createFileServices({ store, clock, ids, identity, undoStore, workspaces, auditLog, cache, onError }: Deps) {
  const onChange = (tenantId: string) => cache.invalidate(tenantId);
  const changeLog = new FileChangeLog({ store, clock, ids, identity, undoStore, onChange, onError });
  return {
    undoService: new UndoService({ ports: { store, workspaces, undoStore }, onChange }),
    fileService: new FileService({ workspaces, changeLog, auditLog }),
  };
}
