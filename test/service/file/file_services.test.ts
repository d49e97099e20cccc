/** Uploads, deletions and undo, with workspaces that are stored for other gateways. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { createIdSource } from '../../../src/adapter/local/node/ids';
import { createInstanceId } from '../../../src/adapter/local/node/instance_id';
import { openTenantUndo } from '../../../src/adapter/local/workspace/tenant_undo';
import { openWorkspace } from '../../../src/adapter/local/workspace/workspace';
import { DEFAULT_TENANT as tenantId } from '../../../src/port/principal';
import { type Workspace, WorkspaceError } from '../../../src/port/workspace';
import type { TenantWorkspace } from '../../../src/port/workspaces';
import { ResultCache } from '../../../src/runtime/tool_runner/result_cache';
import { createFileServices } from '../../../src/service/file/file_services';
import { NO_WORKSPACE_SYNC, type WorkspaceSync } from '../../../src/service/workspace/workspace_sync';
import { Slot } from '../../../src/utils/slot';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

const clock = createSystemClock();
let temporary: TemporaryStore;
let home: string;
let workspace: Workspace;

beforeEach(async () => {
  temporary = await openTemporaryStore();
  home = await mkdtemp(join(tmpdir(), 'neta-files-'));
  workspace = await openWorkspace(join(home, 'workspace'));
});
afterEach(async () => {
  await temporary.release();
  await rm(home, { recursive: true, force: true });
});

async function openServices(sync: Partial<WorkspaceSync>) {
  return createFileServices({
    store: temporary.store,
    clock,
    ids: createIdSource(clock),
    identity: createInstanceId(),
    undoStore: await openTenantUndo(join(home, 'data')),
    workspaces: { hasSeveralTenants: false, workspaceOf: () => ({ workspace }) as TenantWorkspace, close: async () => {} },
    auditLog: { record: async () => {} },
    cache: new ResultCache(clock, { ttlMs: 1, maxEntries: 1 }),
    workspaceSync: new Slot<WorkspaceSync>('workspaceSync', { ...NO_WORKSPACE_SYNC, ...sync }),
    onError: (message, thrown) => {
      throw new Error(message, { cause: thrown });
    },
  });
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

it('stores files for other gateways after the lock of the changed file is free', async () => {
  let kept = 0;
  // Storing brings what others have changed, and locks each file that it replaces.
  const keep = () =>
    workspace.withFileLock('a.md', async () => {
      kept += 1;
      return [];
    });
  const { fileService, undoService } = await openServices({ keep });
  const key = { tenantId, path: 'a.md' };
  await fileService.uploadFile(key, bytesOf('one'), {});
  expect(kept).toBe(1);
  const { executionId } = await fileService.deleteFile({ tenantId }, key, {});
  expect(kept).toBe(2);
  await undoService.undo(tenantId, executionId);
  expect(kept).toBe(3);
  expect(await readFile(join(workspace.root, 'a.md'), 'utf8')).toBe('one');
});

it('answers with an error of the table when the files cannot be brought up to date', async () => {
  const bring = () => Promise.reject(new WorkspaceError('io', 'a.md: its stored bytes are missing.', 'a.md：存储的内容缺失。'));
  const { fileService } = await openServices({ bring });
  await expect(fileService.listFiles({ tenantId, path: '' }, { limit: 10, maxBytes: 1_000 })).rejects.toMatchObject({
    code: 'store_unavailable',
  });
});
