import type { UploadedFileRecord } from '../../../src/feature/openai_door/files/store/file_records';
import type { OwnedChange } from '../../../src/port/store/owned';
import { TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const anUpload = (fields: Partial<UploadedFileRecord> = {}): UploadedFileRecord => ({
  tenantId: TENANT,
  id: 'file_1',
  path: 'uploads/file_1-größe.txt',
  filename: 'größe.txt',
  purpose: 'user_data',
  size: 3,
  createdAt: 1_000,
  ...fields,
});

export function describeUploadedFiles(store: CurrentStore): void {
  const insert = (...files: UploadedFileRecord[]) =>
    store().transaction('none', async tx => {
      for (const file of files) await tx.uploadedFiles.insert(file);
    });

  test('returns a file as it was stored, until it is deleted', async () => {
    await insert(anUpload(), anUpload({ id: 'file_2', expiresAt: 9_000 }));
    expect(await store().read.uploadedFiles.get(TENANT, 'file_1')).toEqual(anUpload());
    expect(await store().read.uploadedFiles.count(TENANT)).toBe(2);
    expect(await store().transaction('none', tx => tx.uploadedFiles.delete(TENANT, 'file_1'))).toBe(true);
    expect(await store().transaction('none', tx => tx.uploadedFiles.delete(TENANT, 'file_1'))).toBe(false);
    expect(await store().read.uploadedFiles.get(TENANT, 'file_1')).toBeUndefined();
  });

  test('lists files by time and purpose, behind a file, without those that have expired', async () => {
    await insert(
      anUpload({ id: 'file_3', createdAt: 3_000 }),
      anUpload(),
      anUpload({ id: 'file_2', purpose: 'vision' }),
      anUpload({ id: 'file_4', createdAt: 4_000, expiresAt: 5_000 }),
    );
    const list = async (fields: object = {}) => {
      const { data, nextCursor } = await store().read.uploadedFiles.list(TENANT, { limit: 10, order: 'asc', now: 5_000, ...fields });
      return [data.map(({ id }) => id).join(), nextCursor !== undefined];
    };
    expect(await list()).toEqual(['file_1,file_2,file_3', false]);
    expect(await list({ order: 'desc', limit: 2 })).toEqual(['file_3,file_2', true]);
    expect(await list({ order: 'desc', after: anUpload({ id: 'file_2' }) })).toEqual(['file_1', false]);
    expect(await list({ purpose: 'vision' })).toEqual(['file_2', false]);
    expect(await list({ now: 4_999, after: anUpload({ id: 'file_3', createdAt: 3_000 }) })).toEqual(['file_4', false]);
  });

  test('changes who sees a file, which counts for the lists of others', async () => {
    await insert(anUpload({ owner: '@anna', visibility: 'private' }));
    const share = (id: string, change: OwnedChange) => store().transaction('none', tx => tx.uploadedFiles.share(TENANT, id, change));
    const isListed = async () => {
      const viewer = { handle: '@ben', names: ['@ben'] };
      const { data } = await store().read.uploadedFiles.list(TENANT, { limit: 10, order: 'asc', now: 5_000, viewer });
      return data.length === 1;
    };
    expect(await isListed()).toBe(false);
    const shared: OwnedChange = { visibility: 'shared', sharedWith: ['@ben'] };
    expect([await share('file_1', shared), await share('file_none', shared)]).toEqual([true, false]);
    expect(await store().read.uploadedFiles.get(TENANT, 'file_1')).toEqual(anUpload({ owner: '@anna', ...shared }));
    expect(await isListed()).toBe(true);
  });

  test('lists the expired files of all tenants, the first to expire first', async () => {
    await insert(
      anUpload({ expiresAt: 3_000 }),
      anUpload({ tenantId: 'rival', expiresAt: 2_000 }),
      anUpload({ id: 'file_2' }),
      anUpload({ id: 'file_3', expiresAt: 9_000 }),
    );
    const expired = await store().read.uploadedFiles.expired(3_000, 10);
    expect(expired.map(({ tenantId, id }) => [tenantId, id])).toEqual([
      ['rival', 'file_1'],
      [TENANT, 'file_1'],
    ]);
    expect(await store().read.uploadedFiles.expired(3_000, 1)).toHaveLength(1);
  });
}
