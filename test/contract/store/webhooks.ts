import type { DeliveryRecord, WebhookRecord } from '../../../src/feature/webhooks/store/webhook_records';
import { TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const aWebhook = (fields: Partial<WebhookRecord> = {}): WebhookRecord => ({
  tenantId: TENANT,
  id: 'whk_1',
  url: 'https://example.com/hook',
  events: ['run.completed', 'run.waiting'],
  secret: 'whsec_AAAA',
  createdAt: 1_000,
  ...fields,
});

const aDelivery = (fields: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  tenantId: TENANT,
  id: 'dlv_1',
  webhookId: 'whk_1',
  type: 'run.completed',
  body: '{"type":"run.completed"}',
  status: 'pending',
  attempts: 0,
  nextAttemptAt: 2_000,
  createdAt: 2_000,
  ...fields,
});

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: false };
const ALL = { limit: 10, maxBytes: 1_000_000 };
const LEASE = { now: 5_000, until: 65_000 };

export function describeWebhooks(store: CurrentStore): void {
  const insert = (webhooks: WebhookRecord[], deliveries: DeliveryRecord[] = []) =>
    store().transaction('none', async tx => {
      for (const webhook of webhooks) await tx.webhooks.insert(webhook);
      await tx.webhooks.insertDeliveries(deliveries);
    });
  const list = async (tenantId = TENANT) => (await store().read.webhooks.listDeliveries(tenantId, 'whk_1', ALL)).data;

  test('reads webhooks as they were stored, the oldest first, and deletes one with its deliveries', async () => {
    const other = aWebhook({ tenantId: 'globex', disabledReason: 'gone', createdAt: 500 });
    await insert([aWebhook(), other], [aDelivery()]);
    expect(await store().read.webhooks.all()).toEqual([other, aWebhook()]);
    expect(await store().read.webhooks.get(TENANT, 'whk_1')).toEqual(aWebhook());
    expect(await store().read.webhooks.get('initech', 'whk_1')).toBeUndefined();
    expect(await store().transaction('none', tx => tx.webhooks.delete('initech', 'whk_1'))).toBe(false);
    expect(await store().transaction('none', tx => tx.webhooks.delete(TENANT, 'whk_1'))).toBe(true);
    expect(await store().read.webhooks.getDelivery(TENANT, 'dlv_1')).toBeUndefined();
    expect(await store().read.webhooks.all()).toEqual([other]);
  });

  test('a webhook of a run hears of that run, until the run has ended', async () => {
    const of = (runId: string, fields: Partial<WebhookRecord> = {}) =>
      aWebhook({ id: `whk_${runId}`, runId, label: 'mine', form: 'a2a', headers: { token: 'x' }, ...fields });
    await insert([aWebhook(), of('run_1'), of('run_2'), of('run_3', { createdAt: 10 })]);
    const { read } = store();
    const held = (runId?: string) =>
      store().transaction('none', async tx => (await tx.webhooks.hold(TENANT, runId)).map(({ id }) => id).sort());
    expect(await read.webhooks.ofRun(TENANT, 'run_1')).toEqual([of('run_1')]);
    expect([await held(), await held('run_1')]).toEqual([['whk_1'], ['whk_1', 'whk_run_1']]);
    await store().transaction('none', tx => tx.webhooks.endRun(TENANT, 'run_1', 5_000));
    expect((await read.webhooks.all()).map(({ id }) => id)).toEqual(['whk_1']);
    expect(await read.webhooks.ofRun(TENANT, 'run_1')).toEqual([of('run_1', { runEndedAt: 5_000 })]);
    const deleteOld = (endedBefore: number, createdBefore: number, limit = 10) =>
      store().transaction('none', tx => tx.webhooks.deleteOfEndedRuns({ endedBefore, createdBefore }, limit));
    expect(await deleteOld(5_000, 20)).toBe(1);
    expect([await read.webhooks.ofRun(TENANT, 'run_3'), (await read.webhooks.ofRun(TENANT, 'run_1')).length]).toEqual([[], 1]);
    expect(await deleteOld(5_001, 20)).toBe(1);
    expect(await read.webhooks.ofRun(TENANT, 'run_1')).toEqual([]);
    await insert([of('run_4'), of('run_5')]);
    expect([await deleteOld(0, 5_000, 2), await deleteOld(0, 5_000, 2)]).toEqual([2, 1]);
    expect((await read.webhooks.all()).map(({ id }) => id)).toEqual(['whk_1']);
  });

  test('moves a webhook of a run to another place, with its deliveries, and enables it', async () => {
    const old = aWebhook({ runId: 'run_1', label: 'mine', form: 'a2a', headers: { token: 'x' }, disabledReason: 'gone' });
    await insert([old, { ...old, tenantId: 'globex' }], [aDelivery()]);
    const place = { url: 'https://example.org/other', form: 'a2a', headers: { token: 'y' } };
    const moveTo = (id: string) => store().transaction('none', tx => tx.webhooks.moveTo(TENANT, id, place));
    expect([await moveTo('whk_1'), await moveTo('whk_2')]).toEqual([true, false]);
    const { disabledReason: _, ...enabled } = { ...old, ...place };
    expect(await store().read.webhooks.ofRun(TENANT, 'run_1')).toEqual([enabled]);
    expect(await store().read.webhooks.ofRun('globex', 'run_1')).toEqual([{ ...old, tenantId: 'globex' }]);
    expect(await list()).toEqual([aDelivery()]);
  });

  test('lists deliveries of one webhook, the newest first', async () => {
    const ended = aDelivery({
      id: 'dlv_2',
      status: 'delivered',
      attempts: 2,
      lastStatus: 204,
      createdAt: 3_000,
      deliveredAt: 3_100,
      trace: TRACE,
    });
    delete ended.nextAttemptAt;
    await insert([aWebhook(), aWebhook({ id: 'whk_2' })], [aDelivery(), ended, aDelivery({ id: 'dlv_3', webhookId: 'whk_2' })]);
    expect(await list()).toEqual([ended, aDelivery()]);
    expect(await list('globex')).toEqual([]);
    expect(await store().read.webhooks.getDelivery('globex', 'dlv_1')).toBeUndefined();
  });

  test('claims what is due once, and again after the reservation', async () => {
    const later = aDelivery({ id: 'dlv_later', nextAttemptAt: 9_000 });
    await insert([aWebhook()], [aDelivery({ id: 'dlv_b', nextAttemptAt: 3_000 }), aDelivery(), later]);
    expect(await store().read.webhooks.nextDeliveryAt()).toBe(2_000);
    const [first] = await store().transaction('none', tx => tx.webhooks.claimDeliveries(1, LEASE));
    expect(first).toEqual(aDelivery({ attempts: 1, nextAttemptAt: LEASE.until }));
    expect(await store().read.webhooks.getDelivery(TENANT, 'dlv_1')).toEqual(first);
    const rest = await store().transaction('none', tx => tx.webhooks.claimDeliveries(10, LEASE));
    expect(rest.map(({ id }) => id)).toEqual(['dlv_b']);
    const again = await store().transaction('none', tx => tx.webhooks.claimDeliveries(10, { now: LEASE.until, until: 200_000 }));
    expect(Object.fromEntries(again.map(({ id, attempts }) => [id, attempts]))).toEqual({ dlv_later: 1, dlv_1: 2, dlv_b: 2 });
    expect(again[0]?.id).toBe('dlv_later');
  });

  test('stores the result of the newest try alone', async () => {
    await insert([aWebhook()], [aDelivery()]);
    await store().transaction('none', tx => tx.webhooks.claimDeliveries(1, LEASE));
    await store().transaction('none', tx => tx.webhooks.claimDeliveries(1, { now: LEASE.until, until: 200_000 }));
    await store().transaction('none', tx => tx.webhooks.updateDelivery(TENANT, 'dlv_1', 1, { status: 'failed', lastError: 'too late' }));
    expect(await list()).toMatchObject([{ status: 'pending', attempts: 2 }]);
    await store().transaction('none', tx =>
      tx.webhooks.updateDelivery(TENANT, 'dlv_1', 2, { status: 'delivered', lastStatus: 200, deliveredAt: 70_000 }),
    );
    const delivered = aDelivery({ status: 'delivered', attempts: 2, lastStatus: 200, deliveredAt: 70_000 });
    delete delivered.nextAttemptAt;
    expect(await list()).toEqual([delivered]);
    expect(await store().read.webhooks.nextDeliveryAt()).toBeUndefined();
  });

  test('replays an ended delivery, and no other', async () => {
    await insert([aWebhook()], [aDelivery({ status: 'failed' }), aDelivery({ id: 'dlv_2' })]);
    const replay = (tenantId: string, id: string) => store().transaction('none', tx => tx.webhooks.replayDelivery(tenantId, id, 8_000));
    expect([await replay('globex', 'dlv_1'), await replay(TENANT, 'dlv_2'), await replay(TENANT, 'dlv_1')]).toEqual([false, false, true]);
    expect(await store().read.webhooks.getDelivery(TENANT, 'dlv_1')).toMatchObject({ status: 'pending', nextAttemptAt: 8_000 });
  });

  test('a disabled webhook keeps its deliveries, and none is pending', async () => {
    await insert([aWebhook(), aWebhook({ tenantId: 'globex' })], [aDelivery(), aDelivery({ tenantId: 'globex' })]);
    await store().transaction('none', tx => tx.webhooks.disable(TENANT, 'whk_1', 'gone'));
    expect(await store().read.webhooks.get(TENANT, 'whk_1')).toMatchObject({ disabledReason: 'gone' });
    expect(await list()).toMatchObject([{ status: 'failed', lastError: 'gone' }]);
    expect(await list('globex')).toMatchObject([{ status: 'pending' }]);
  });

  test('counts pending deliveries, and deletes old ones that have ended', async () => {
    const deliveries = [
      aDelivery(),
      aDelivery({ id: 'dlv_old', status: 'failed' }),
      aDelivery({ id: 'dlv_new', status: 'failed', createdAt: 9_000 }),
    ];
    await insert([aWebhook()], deliveries);
    expect(await store().read.webhooks.countPending()).toBe(1);
    expect(await store().transaction('none', tx => tx.webhooks.deleteOldDeliveries(9_000, 10))).toBe(1);
    expect((await list()).map(({ id }) => id)).toEqual(['dlv_new', 'dlv_1']);
  });
}
