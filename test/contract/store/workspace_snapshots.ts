import { createSystemClock } from '../../../src/adapter/local/node/clock';
import type { WorkspaceFileRecord } from '../../../src/feature/workspace_snapshots/store/snapshot_records';
import { createStoredBlobs } from '../../../src/feature/workspace_snapshots/stored_blobs';
import { contentHash } from '../../../src/utils/content_hash';
import { TENANT } from '../../support/store_records';
import { describeBlobStore } from '../blob_store_contract';
import type { CurrentStore } from '../store_contract';

const aFile = (fields: Partial<WorkspaceFileRecord> = {}): WorkspaceFileRecord => ({
  tenantId: TENANT,
  path: 'a.md',
  version: 1,
  isDeleted: false,
  hash: contentHash('a'),
  size: 1,
  mode: 0o644,
  isLink: false,
  ...fields,
});

export function describeWorkspaceSnapshots(store: CurrentStore): void {
  const commit = (version: number, ...files: WorkspaceFileRecord[]) =>
    store().transaction('none', tx => tx.workspaceFiles.commit(TENANT, { version, files: files.length, bytes: 7 }, files));

  test('stores each version behind the one before, and nothing when another gateway was faster', async () => {
    expect(await store().read.workspaceFiles.head(TENANT)).toEqual({ version: 0, files: 0, bytes: 0 });
    expect(await commit(1, aFile(), aFile({ path: 'b.md', sessionId: 'ses_1' }))).toBe(true);
    expect(await commit(1, aFile({ path: 'late.md' }))).toBe(false);
    expect(await commit(3, aFile({ path: 'early.md' }))).toBe(false);
    expect(await store().read.workspaceFiles.head(TENANT)).toEqual({ version: 1, files: 2, bytes: 7 });
    expect(await store().read.workspaceFiles.changedSince(TENANT, 0)).toEqual([aFile(), aFile({ path: 'b.md', sessionId: 'ses_1' })]);
  });

  test('lets one of two gateways store a version', async () => {
    const both = await Promise.all([commit(1, aFile({ path: 'one.md' })), commit(1, aFile({ path: 'two.md' }))]);
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await store().read.workspaceFiles.changedSince(TENANT, 0)).toHaveLength(1);
  });

  test('reads the paths that changed after a version, deleted ones too', async () => {
    await commit(1, aFile(), aFile({ path: 'b.md' }));
    const deleted = aFile({ version: 2, isDeleted: true });
    await commit(2, deleted);
    expect(await store().read.workspaceFiles.changedSince(TENANT, 1)).toEqual([deleted]);
    expect(await store().read.workspaceFiles.changedSince(TENANT, 2)).toEqual([]);
    // b.md has the same bytes.
    expect(await store().read.workspaceFiles.namesHash(TENANT, contentHash('a'))).toBe(true);
    await commit(3, aFile({ path: 'b.md', version: 3, isDeleted: true }));
    expect(await store().read.workspaceFiles.namesHash(TENANT, contentHash('a'))).toBe(false);
  });

  describe('blobs in the store', () => {
    const clock = createSystemClock();
    describeBlobStore(async () => ({
      blobs: createStoredBlobs({ store: store(), clock }),
      now: () => clock.now(),
      name: async hash => void (await commit(1, aFile({ hash }))),
    }));
  });
}
