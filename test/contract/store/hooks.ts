import type { HookCallRecord, HookRecord } from '../../../src/feature/hooks/store/hook_records';
import { TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const aHook = (fields: Partial<HookRecord> = {}): HookRecord => ({
  tenantId: TENANT,
  id: 'hook_1',
  name: 'deploys',
  agent: 'default',
  template: 'The deploy of {{body.service}}',
  locale: 'en',
  session: 'same',
  secret: 'whsec_AAAA',
  enabled: true,
  keyName: 'ann',
  createdAt: 1_000,
  updatedAt: 1_000,
  ...fields,
});

export function describeHooks(store: CurrentStore): void {
  const insert = (...hooks: HookRecord[]) =>
    store().transaction('none', async tx => {
      for (const hook of hooks) await tx.hooks.insert(hook);
    });

  test('finds a hook by its id alone, and lists those of a tenant, the oldest first', async () => {
    const other = aHook({ tenantId: 'other', id: 'hook_2', sessionId: 'ses_1', enabled: false });
    const older = aHook({ id: 'hook_3', createdAt: 500 });
    await insert(aHook(), other, older);
    expect(await store().read.hooks.find('hook_2')).toEqual(other);
    expect(await store().read.hooks.find('hook_9')).toBeUndefined();
    expect(await store().read.hooks.list(TENANT)).toEqual([older, aHook()]);
  });

  test('keeps the newest requests to a hook, and deletes them with it', async () => {
    await insert(aHook(), aHook({ id: 'hook_2' }));
    const call = (id: string, fields: Partial<HookCallRecord> = {}): HookCallRecord => ({
      ...{ tenantId: TENANT, id, hookId: 'hook_1', address: '192.0.2.1', outcome: 'accepted' as const, createdAt: 1_000 },
      ...fields,
    });
    const refused = call('c', { outcome: 'refused', code: 'unauthenticated' });
    await store().transaction('none', async tx => {
      for (const one of [
        call('a'),
        call('b', { createdAt: 900 }),
        refused,
        call('d', { hookId: 'hook_2', runId: 'run_1', messageId: 'm' }),
      ])
        await tx.hooks.insertCall(one);
      await tx.hooks.deleteOldCalls(TENANT, 'hook_1', 2);
    });
    expect(await store().read.hooks.listCalls(TENANT, 'hook_1')).toEqual([refused, call('a')]);
    expect(await store().read.hooks.listCalls(TENANT, 'hook_2')).toEqual([call('d', { hookId: 'hook_2', runId: 'run_1', messageId: 'm' })]);
    await store().transaction('none', tx => tx.hooks.delete(TENANT, 'hook_1'));
    expect(await store().read.hooks.listCalls(TENANT, 'hook_1')).toEqual([]);
    await expect(store().transaction('none', tx => tx.hooks.insertCall(refused))).rejects.toMatchObject({ code: 'internal' });
  });

  test('an update changes what a caller may change, and leaves the session and the secret', async () => {
    await insert(aHook({ sessionId: 'ses_1' }));
    const change = { name: 'n', agent: 'a', template: 't', locale: 'zh-CN', session: 'new', enabled: false, updatedAt: 2_000 } as const;
    expect(await store().transaction('none', tx => tx.hooks.update(aHook({ ...change, secret: 'x' })))).toBe(true);
    expect(await store().read.hooks.get(TENANT, 'hook_1')).toEqual(aHook({ ...change, sessionId: 'ses_1' }));
    expect(await store().transaction('none', tx => tx.hooks.update(aHook({ id: 'hook_9' })))).toBe(false);
    await store().transaction('none', tx => tx.hooks.update(aHook({ keyName: 'another' })));
    expect(await store().read.hooks.get(TENANT, 'hook_1')).toEqual(aHook({ keyName: 'another' }));
  });

  test('of two runs that choose a session at once, the first keeps it', async () => {
    await insert(aHook());
    const keep = (from: string | undefined, to: string) =>
      store().transaction('none', tx => tx.hooks.keepSession(TENANT, 'hook_1', { from, to }));
    expect([await keep(undefined, 'ses_1'), await keep(undefined, 'ses_2'), await keep('ses_2', 'ses_3')]).toEqual([true, false, false]);
    expect(await keep('ses_1', 'ses_4')).toBe(true);
    expect((await store().read.hooks.get(TENANT, 'hook_1'))?.sessionId).toBe('ses_4');
    const remove = () => store().transaction('none', tx => tx.hooks.delete(TENANT, 'hook_1'));
    expect([await remove(), await remove()]).toEqual([true, false]);
  });
}
