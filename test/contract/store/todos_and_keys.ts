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
    expect(await store().read.getTodos(TENANT, 'ses_1')).toBeUndefined();
    await store().transaction(tx => tx.putTodos(list(['dig', 'plant'], 1)));
    await store().transaction(tx => tx.putTodos(list(['water'], 2)));
    expect(await store().read.getTodos(TENANT, 'ses_1')).toStrictEqual(list(['water'], 2));
  });

  test('keeps the first request of a key, also when several come at once', async () => {
    const record = (runId: string) => ({ tenantId: TENANT, key: 'order-7', fingerprint: 'abc', runId, createdAt: 1 });
    const taken = await Promise.all(['run_1', 'run_2', 'run_3'].map(id => store().transaction(tx => tx.insertIdempotencyKey(record(id)))));
    expect(taken).toEqual([true, false, false]);
    expect(await store().read.getIdempotencyKey(TENANT, 'order-7')).toStrictEqual(record('run_1'));
    expect(await store().read.getIdempotencyKey(TENANT, 'order-8')).toBeUndefined();
  });
}
