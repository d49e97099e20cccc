import { seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeTodosAndKeys(store: CurrentStore): void {
  test('replaces the plan of a session as a whole', async () => {
    const list = (contents: string[], updatedAt: number) => ({
      tenantId: TENANT,
      sessionId: 'ses_1',
      todos: contents.map((content, i) => ({ id: `${i}`, content, status: 'pending' as const })),
      updatedAt,
    });
    await seed(store());
    expect(await store().read.todos.get(TENANT, 'ses_1')).toBeUndefined();
    await store().transaction('none', tx => tx.todos.put(list(['dig', 'plant'], 1)));
    await store().transaction('none', tx => tx.todos.put(list(['water'], 2)));
    expect(await store().read.todos.get(TENANT, 'ses_1')).toEqual(list(['water'], 2));
  });

  test('replaces the terminal state of a session, for this tenant only', async () => {
    const terminal = (cwd: string) => ({
      tenantId: TENANT,
      sessionId: 'ses_1',
      state: { cwd, variables: { A: 'ä\n"', B: null } },
      updatedAt: 1,
    });
    await seed(store());
    expect(await store().read.terminals.get(TENANT, 'ses_1')).toBeUndefined();
    await store().transaction('none', tx => tx.terminals.put(terminal('/a')));
    await store().transaction('none', tx => tx.terminals.put(terminal('/b')));
    expect(await store().read.terminals.get(TENANT, 'ses_1')).toEqual(terminal('/b'));
    expect(await store().read.terminals.get('rival', 'ses_1')).toBeUndefined();
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await store().read.terminals.get(TENANT, 'ses_1')).toBeUndefined();
  });

  test('replaces the record under a key, for this tenant only', async () => {
    const record = { tenantId: TENANT, key: 'order-7', fingerprint: 'abc', runId: 'run_1', createdAt: 1 };
    const replaced = { ...record, fingerprint: 'def', runId: 'run_2', createdAt: 2 };
    const foreign = { ...record, tenantId: 'globex' };
    await store().transaction('none', async tx => {
      await tx.idempotencyKeys.put(foreign);
      await tx.idempotencyKeys.put(record);
    });
    expect(await store().read.idempotencyKeys.get(TENANT, 'order-7')).toEqual(record);
    await store().transaction('none', tx => tx.idempotencyKeys.put(replaced));
    expect(await store().read.idempotencyKeys.get(TENANT, 'order-7')).toEqual(replaced);
    expect(await store().read.idempotencyKeys.get('globex', 'order-7')).toEqual(foreign);
    expect(await store().read.idempotencyKeys.get(TENANT, 'order-8')).toBeUndefined();
  });

  test('deletes keys of all tenants older than a time, at most 5,000 a call', async () => {
    const record = (key: string, createdAt: number, tenantId = TENANT) => ({ tenantId, key, fingerprint: 'f', runId: 'run_1', createdAt });
    await store().transaction('none', async tx => {
      for (let i = 0; i < 5_000; i++) await tx.idempotencyKeys.put(record(`old-${i}`, 1));
      await tx.idempotencyKeys.put(record('later', 8));
      await tx.idempotencyKeys.put(record('foreign', 9, 'globex'));
      await tx.idempotencyKeys.put(record('foreign', 10));
      await tx.idempotencyKeys.put(record('new', 10, 'globex'));
    });
    const forget = () => store().transaction('none', tx => tx.idempotencyKeys.deleteBefore(10, 5_000));
    expect(await forget()).toBe(5_000);
    expect(await store().read.idempotencyKeys.get(TENANT, 'later')).toBeDefined();
    expect([await forget(), await forget()]).toEqual([2, 0]);
    expect(await store().read.idempotencyKeys.get('globex', 'foreign')).toBeUndefined();
    expect(await store().read.idempotencyKeys.get(TENANT, 'foreign')).toBeDefined();
    expect(await store().read.idempotencyKeys.get('globex', 'new')).toBeDefined();
  });
}
