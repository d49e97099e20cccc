import type { PushActionRecord, PushDeliveryRecord, PushSubscriptionRecord } from '../../../src/feature/push/store/push_records';
import { TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const aDevice = (fields: Partial<PushSubscriptionRecord> = {}): PushSubscriptionRecord => ({
  tenantId: TENANT,
  id: 'psh_1',
  endpoint: 'https://push.example/1',
  publicKey: 'point',
  authSecret: 'secret',
  locale: 'zh-CN',
  keyName: 'ann',
  keyHash: 'hash',
  createdAt: 1_000,
  name: 'Chrome, Android',
  preview: false,
  ...fields,
});

const aDelivery = (fields: Partial<PushDeliveryRecord> = {}): PushDeliveryRecord => ({
  tenantId: TENANT,
  id: 'psd_1',
  subscriptionId: 'psh_1',
  kind: 'approval',
  sessionId: 'ses_1',
  runId: 'run_1',
  requestId: 'q_1',
  attempts: 0,
  nextAttemptAt: 2_000,
  expiresAt: 90_000,
  ...fields,
});

const anAction = (fields: Partial<PushActionRecord> = {}): PushActionRecord => ({
  tokenHash: 'token',
  tenantId: TENANT,
  subscriptionId: 'psh_1',
  requestId: 'q_1',
  argumentsHash: 'arguments',
  keyName: 'ann',
  keyHash: 'hash',
  expiresAt: 5_000,
  ...fields,
});

export function describePush(store: CurrentStore): void {
  const insert = (devices: PushSubscriptionRecord[], deliveries: PushDeliveryRecord[] = [], actions: PushActionRecord[] = []) =>
    store().transaction('none', async tx => {
      for (const device of devices) await tx.push.insert(device);
      await tx.push.insertDeliveries(deliveries);
      for (const action of actions) await tx.push.insertAction(action);
    });
  const claim = (limit: number, now: number) =>
    store().transaction('none', tx => tx.push.claimDeliveries(limit, { now, until: now + 60_000 }));

  test('keeps the first key pair that is stored', async () => {
    expect(await store().read.push.keys()).toBeUndefined();
    const first = { publicKey: 'public', privateKey: 'private' };
    await store().transaction('none', tx => tx.push.insertKeys(first, 1));
    await store().transaction('none', tx => tx.push.insertKeys({ publicKey: 'other', privateKey: 'other' }, 2));
    expect(await store().read.push.keys()).toEqual(first);
  });

  test('reads devices as they were stored, and deletes one with its notifications and actions', async () => {
    const other = aDevice({ id: 'psh_2', endpoint: 'https://push.example/2', createdAt: 500 });
    const foreign = aDevice({ tenantId: 'globex', endpoint: 'https://push.example/3' });
    await insert([aDevice(), other, foreign], [aDelivery()], [anAction()]);
    expect(await store().read.push.list(TENANT)).toEqual([other, aDevice()]);
    expect(await store().transaction('none', tx => tx.push.hold(TENANT))).toEqual([other, aDevice()]);
    expect((await store().read.push.tenants()).sort()).toEqual([TENANT, 'globex'].sort());
    expect(await store().transaction('none', tx => tx.push.delete('initech', 'psh_1'))).toBe(false);
    expect(await store().transaction('none', tx => tx.push.delete(TENANT, 'psh_1'))).toBe(true);
    expect([await store().read.push.nextDeliveryAt(), await store().read.push.findAction('token')]).toEqual([undefined, undefined]);
    await store().transaction('none', tx => tx.push.deleteEndpoint(foreign.endpoint));
    expect(await store().read.push.tenants()).toEqual([TENANT]);
  });

  test('changes a device, and keeps what waits for it', async () => {
    await insert([aDevice()], [aDelivery()], [anAction()]);
    const change = { publicKey: 'new point', authSecret: 'new', locale: 'en', keyName: 'ann', name: undefined, preview: true } as const;
    await store().transaction('none', async tx => {
      await tx.push.update(TENANT, 'psh_1', change);
      await tx.push.setLastUse(TENANT, 'psh_1', 3_000);
    });
    expect(await store().read.push.findEndpoint(aDevice().endpoint)).toEqual(aDevice({ ...change, lastUsedAt: 3_000 }));
    expect([await store().read.push.nextDeliveryAt(), await store().read.push.findAction('token')]).toEqual([2_000, anAction()]);
  });

  test('takes one device for each endpoint', async () => {
    await insert([aDevice()]);
    await expect(insert([aDevice({ id: 'psh_2' })])).rejects.toMatchObject({ code: 'internal' });
  });

  test('claims what is due once, and sets the next try of the newest attempt alone', async () => {
    await insert([aDevice()], [aDelivery({ id: 'psd_b', nextAttemptAt: 3_000, outcome: 'failed' }), aDelivery()]);
    expect(await store().read.push.nextDeliveryAt()).toBe(2_000);
    expect(await claim(1, 5_000)).toEqual([aDelivery({ attempts: 1, nextAttemptAt: 65_000 })]);
    expect(await claim(10, 5_000)).toEqual([aDelivery({ id: 'psd_b', outcome: 'failed', attempts: 1, nextAttemptAt: 65_000 })]);
    await store().transaction('none', tx => tx.push.deleteDelivery(TENANT, 'psd_b'));
    await store().transaction('none', tx => tx.push.retryDelivery(TENANT, 'psd_1', 0, 10_000));
    expect(await store().read.push.nextDeliveryAt()).toBe(65_000);
    await store().transaction('none', tx => tx.push.retryDelivery(TENANT, 'psd_1', 1, 10_000));
    expect(await store().read.push.nextDeliveryAt()).toBe(10_000);
  });

  test('uses an action once, and not after its end', async () => {
    const late = anAction({ tokenHash: 'late', expiresAt: 6_000 });
    await insert([aDevice()], [], [anAction(), late]);
    const use = (tokenHash: string, now: number) => store().transaction('none', tx => tx.push.useAction(tokenHash, now));
    expect(await Promise.all([use('token', 4_000), use('token', 4_000)])).toEqual(expect.arrayContaining([true, false]));
    expect(await store().read.push.findAction('token')).toEqual(anAction({ usedAt: 4_000 }));
    expect([await use('late', 6_000), await use('unknown', 1)]).toEqual([false, false]);
    expect(await store().transaction('none', tx => tx.push.deleteOldActions(5_500, 10))).toBe(1);
    expect(await store().read.push.findAction('late')).toEqual(late);
  });
}
