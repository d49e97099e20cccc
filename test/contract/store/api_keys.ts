import type { ApiKeyRecord, LoginRecord } from '../../../src/port/store/api_keys';
import type { CurrentStore } from '../store_contract';

const FULL: ApiKeyRecord = {
  tenantId: 'acme',
  id: 'key_1',
  name: 'ci',
  secretHash: 'aa01',
  scopes: ['chat', 'ops:read'],
  createdAt: 1_000,
  expiresAt: 9_000,
  lastUsedAt: 2_000,
  request: { key: 'acme:first', fingerprint: 'body' },
};

const aKey = (fields: Partial<ApiKeyRecord>): ApiKeyRecord => ({
  tenantId: 'acme',
  id: 'key_2',
  name: 'page',
  secretHash: 'bb02',
  scopes: [],
  createdAt: 2_000,
  ...fields,
});

const aLogin = (fields: Partial<LoginRecord>): LoginRecord => ({
  tokenHash: 'cookie-1',
  keyHash: 'aa01',
  createdAt: 1_000,
  expiresAt: 5_000,
  ...fields,
});

export function describeApiKeys(store: CurrentStore): void {
  const insert = (key: ApiKeyRecord) => store().transaction('none', tx => tx.apiKeys.insert(key));

  test('lists the keys of all tenants, oldest first, with every field', async () => {
    await insert(aKey({ tenantId: 'rival' }));
    await insert(FULL);
    expect(await store().read.apiKeys.list()).toEqual([FULL, aKey({ tenantId: 'rival' })]);
  });

  test('refuses a second key with the id, the secret or the request of another', async () => {
    await insert(FULL);
    const request = { key: 'acme:first', fingerprint: 'other' };
    for (const twin of [aKey({ id: 'key_1' }), aKey({ secretHash: 'aa01' }), aKey({ request })])
      await expect(insert(twin)).rejects.toMatchObject({ code: 'internal' });
    await insert(aKey({}));
    await insert(aKey({ id: 'key_3', secretHash: 'cc03' }));
  });

  test('deletes a key once', async () => {
    await insert(FULL);
    const remove = () => store().transaction('none', tx => tx.apiKeys.delete('key_1'));
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect(await store().read.apiKeys.list()).toEqual([]);
  });

  test('keeps the latest use of a key', async () => {
    await insert(aKey({}));
    for (const at of [3_000, 2_500]) await store().transaction('none', tx => tx.apiKeys.markUsed('key_2', at));
    expect(await store().read.apiKeys.list()).toMatchObject([{ lastUsedAt: 3_000 }]);
  });

  test('keeps the latest use of a key that has no row', async () => {
    for (const [id, at] of [
      ['env-root', 3_000],
      ['env-root', 2_500],
      ['env-ci', 9],
    ] as const)
      await store().transaction('none', tx => tx.apiKeys.markConfiguredUsed(id, at));
    const uses = await store().read.apiKeys.listConfiguredUses();
    expect(uses.sort((a, b) => a.lastUsedAt - b.lastUsedAt)).toEqual([
      { id: 'env-ci', lastUsedAt: 9 },
      { id: 'env-root', lastUsedAt: 3_000 },
    ]);
  });

  test('lists the logins that have not ended, and deletes the others', async () => {
    await store().transaction('none', async tx => {
      await tx.apiKeys.insertLogin(aLogin({}));
      await tx.apiKeys.insertLogin(aLogin({ tokenHash: 'cookie-2', expiresAt: 4_000 }));
    });
    expect(await store().read.apiKeys.listLogins(4_000)).toEqual([aLogin({})]);
    await store().transaction('none', tx => tx.apiKeys.deleteExpiredLogins(4_000));
    expect(await store().read.apiKeys.listLogins(0)).toEqual([aLogin({})]);
    await store().transaction('none', tx => tx.apiKeys.deleteLogin('cookie-1'));
    expect(await store().read.apiKeys.listLogins(0)).toEqual([]);
  });

  test('deletes the logins of one key but the newest, or but one', async () => {
    await store().transaction('none', async tx => {
      for (const createdAt of [1_000, 3_000, 2_000]) await tx.apiKeys.insertLogin(aLogin({ tokenHash: `cookie-${createdAt}`, createdAt }));
      await tx.apiKeys.insertLogin(aLogin({ tokenHash: 'cookie-other', keyHash: 'bb02' }));
    });
    const tokens = async () => (await store().read.apiKeys.listLogins(0)).map(({ tokenHash }) => tokenHash).sort();
    await store().transaction('none', tx => tx.apiKeys.deleteLoginsOf('aa01', 2));
    expect(await tokens()).toEqual(['cookie-2000', 'cookie-3000', 'cookie-other']);
    await store().transaction('none', tx => tx.apiKeys.deleteOtherLogins('aa01', 'cookie-2000'));
    expect(await tokens()).toEqual(['cookie-2000', 'cookie-other']);
    await store().transaction('none', tx => tx.apiKeys.deleteLoginsOf('aa01', 0));
    expect(await tokens()).toEqual(['cookie-other']);
  });
}
