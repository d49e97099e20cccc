import { aRun, aSession, aSteeringMessage, RUN, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeSteeringMessages(store: CurrentStore): void {
  const pendingIds = async (runId = 'run_1', tenantId = TENANT) =>
    (await store().read.steeringMessages.pending(tenantId, runId)).map(steer => steer.id);
  const take = (ids: string[], tenantId = TENANT) =>
    store().transaction({ session: RUN }, tx => tx.steeringMessages.take(tenantId, ids, 3_000));

  test('reads the messages for a run in the order they were stored, also within one millisecond', async () => {
    const steers = ['z', 'a', 'm'].map(id => aSteeringMessage({ id, text: `豆 ${id}` }));
    const images = [{ id: 'img_1', mediaType: 'image/png' as const, bytes: 16 }];
    const files = [{ id: 'img_2', mediaType: 'application/pdf' as const, bytes: 9, name: 'a.pdf', text: '豆' }];
    steers.push(aSteeringMessage({ id: 'b', images, files, metadata: { from: 'a test' } }));
    await seed(store(), async tx => {
      await tx.runs.insert(aRun({ id: 'run_2', status: 'queued' }));
      for (const steer of steers) await tx.steeringMessages.insert(steer);
      await tx.steeringMessages.insert(aSteeringMessage({ id: 'elsewhere', runId: 'run_2' }));
      await tx.steeringMessages.insert(aSteeringMessage({ id: 'taken', takenAt: 2_500 }));
    });
    expect(await store().read.steeringMessages.pending(TENANT, 'run_1')).toEqual(steers);
    const bytes = steers.reduce((sum, steer) => sum + Buffer.byteLength(steer.text), 0);
    expect(await store().read.steeringMessages.countPending(TENANT, 'run_1')).toEqual({ count: steers.length, bytes });
    expect(await store().read.steeringMessages.countPending('other', 'run_1')).toEqual({ count: 0, bytes: 0 });
    expect(await pendingIds('run_2')).toEqual(['elsewhere']);
    expect(await pendingIds('run_3')).toEqual([]);
  });

  test('lets only one of several concurrent takers take a message', async () => {
    await seed(store(), async tx => {
      for (const id of ['s1', 's2', 's3']) await tx.steeringMessages.insert(aSteeringMessage({ id }));
    });
    expect(await take([])).toBe(0);
    expect(await Promise.all([take(['s1', 's2']), take(['s2', 's1', 'unknown'])])).toEqual([2, 0]);
    expect(await take(['s3', 's3', 's1'])).toBe(1);
    expect(await pendingIds()).toEqual([]);
  });

  test('keeps a message pending when the transaction that took it is rolled back', async () => {
    await seed(store(), tx => tx.steeringMessages.insert(aSteeringMessage()));
    const undone = store().transaction('none', async tx => {
      expect(await tx.steeringMessages.take(TENANT, ['steer_1'], 3_000)).toBe(1);
      expect(await tx.steeringMessages.pending(TENANT, 'run_1')).toEqual([]);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await pendingIds()).toEqual(['steer_1']);
  });

  test('refuses a message for a missing run, and one whose id is taken', async () => {
    await seed(store(), tx => tx.steeringMessages.insert(aSteeringMessage()));
    for (const steer of [aSteeringMessage({ id: 's2', runId: 'run_9' }), aSteeringMessage()]) {
      await expect(store().transaction('none', tx => tx.steeringMessages.insert(steer))).rejects.toMatchObject({ code: 'internal' });
    }
    expect(await pendingIds()).toEqual(['steer_1']);
  });

  test('hides messages from other tenants, and deletes them with their session', async () => {
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ tenantId: 'globex' }));
      await tx.runs.insert(aRun({ tenantId: 'globex' }));
      await tx.steeringMessages.insert(aSteeringMessage());
    });
    expect(await pendingIds('run_1', 'globex')).toEqual([]);
    expect(await take(['steer_1'], 'globex')).toBe(0);
    await store().transaction('none', tx => tx.steeringMessages.insert(aSteeringMessage({ tenantId: 'globex' })));
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await pendingIds()).toEqual([]);
    expect(await pendingIds('run_1', 'globex')).toEqual(['steer_1']);
  });
}
