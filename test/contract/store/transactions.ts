import type { StoreTransaction } from '../../../src/port/store/store';
import { aMessage, aSession, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeTransactions(store: CurrentStore): void {
  test('shows a transaction its own writes, and other readers only committed ones', async () => {
    let seenInside: unknown;
    let seenOutside: unknown = 'nothing read';
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      seenInside = await tx.sessions.get(TENANT, 'ses_1');
      seenOutside = await store().read.sessions.get(TENANT, 'ses_1');
    });
    expect(seenInside).toEqual(aSession());
    expect(seenOutside).toBeUndefined();
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(aSession());
  });

  test('resolves the value of the work, or rejects with the same error object', async () => {
    expect(await store().transaction('none', async () => 42)).toBe(42);
    const error = new Error('changed my mind');
    await expect(store().transaction('none', () => Promise.reject(error))).rejects.toBe(error);
  });

  test('rolls back only the work that rejects or throws, of those that started together', async () => {
    const insert = (id: string) => async (tx: StoreTransaction) => {
      await tx.sessions.insert(aSession({ id }));
    };
    const results = await Promise.allSettled([
      store().transaction('none', insert('ses_1')),
      store().transaction('none', async tx => {
        await insert('ses_2')(tx);
        throw new Error('no');
      }),
      store().transaction('none', () => {
        throw new Error('at once');
      }),
      store().transaction('none', insert('ses_1')),
      store().transaction('none', insert('ses_3')),
    ]);
    const [first, thrown, thrownAtOnce, same, last] = results.map(result => result.status);
    expect([thrown, thrownAtOnce, last]).toEqual(['rejected', 'rejected', 'fulfilled']);
    // Two works insert the same id: one of them can.
    expect([first, same].sort()).toEqual(['fulfilled', 'rejected']);
    const { data } = await store().read.sessions.list(TENANT, { limit: 10 });
    expect(data.map(session => session.id)).toEqual(['ses_3', 'ses_1']);
  });

  test('rolls back a whole work when a later part of it fails', async () => {
    await seed(store());
    const work = store().transaction('none', async tx => {
      await tx.sessions.update(TENANT, 'ses_1', { title: 'changed' });
      await tx.messages.insert([aMessage(), aMessage({ id: 'msg_other' })]);
    });
    await expect(work).rejects.toMatchObject({ code: 'internal', message: 'Something went wrong inside the gateway.' });
    expect((await store().read.sessions.get(TENANT, 'ses_1'))?.title).toBe('Garden plan');
    expect(await store().read.messages.history(TENANT, 'ses_1')).toEqual([]);
  });

  test('refuses calls on a transaction that has ended', async () => {
    const escaped = await store().transaction('none', async tx => ({ tx }));
    await expect(escaped.tx.sessions.insert(aSession())).rejects.toMatchObject({ code: 'internal' });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toBeUndefined();
  });

  test('resolves check() while it can be written', async () => {
    await expect(store().check()).resolves.toBeUndefined();
  });
}
