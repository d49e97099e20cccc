import { seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeSessionTools(store: CurrentStore): void {
  test('replaces the tools of a session, for this agent and this tenant only, and deletes them with the session', async () => {
    const record = (names: string[], agent = 'default') => ({ tenantId: TENANT, sessionId: 'ses_1', agent, names, updatedAt: 1 });
    const key = (agent = 'default', tenantId = TENANT) => ({ tenantId, sessionId: 'ses_1', agent });
    await seed(store());
    expect(await store().read.sessionTools.get(key())).toBeUndefined();
    await store().transaction('none', tx => tx.sessionTools.put(record(['git__commit'])));
    await store().transaction('none', tx => tx.sessionTools.put(record(['git__commit', 'mail__send'])));
    await store().transaction('none', tx => tx.sessionTools.put(record([], 'poet')));
    expect(await store().read.sessionTools.get(key())).toEqual(record(['git__commit', 'mail__send']));
    expect(await store().read.sessionTools.get(key('poet'))).toEqual(record([], 'poet'));
    expect(await store().read.sessionTools.get(key('default', 'rival'))).toBeUndefined();
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await store().read.sessionTools.get(key())).toBeUndefined();
  });

  test('refuses tools of a session that does not exist', async () => {
    const record = { tenantId: TENANT, sessionId: 'ses_none', agent: 'default', names: [], updatedAt: 1 };
    await expect(store().transaction('none', tx => tx.sessionTools.put(record))).rejects.toMatchObject({ code: 'internal' });
  });
}
