/** Deliveries to a server that fails, with a clock that the test advances, over the real store. */

import { createHmac } from 'node:crypto';
import { createWebhookSender } from '../../../src/adapter/web/webhook_sender';
import { RunWebhookService } from '../../../src/feature/webhooks/run_webhook_service';
import type { DeliveryRecord } from '../../../src/feature/webhooks/store/webhook_records';
import { PAUSES_MS, WebhookDispatcher } from '../../../src/feature/webhooks/webhook_dispatcher';
import { WebhookOutbox } from '../../../src/feature/webhooks/webhook_outbox';
import { WebhookService } from '../../../src/feature/webhooks/webhook_service';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { Store } from '../../../src/port/store/store';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { NO_OBSERVER } from '../../support/no_observer';
import { openTemporaryStore } from '../../support/temporary_store';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook_receiver';

let store: Store;
let removeStore: () => Promise<void>;
let receiver: WebhookReceiver;

beforeEach(async () => {
  ({ store, release: removeStore } = await openTemporaryStore());
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await receiver.stop();
  await removeStore();
});

const RUN = { tenantId: 'acme', id: 'run_1', sessionId: 'ses_1' } as never;

async function startServices() {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  let ids = 0;
  const deps = {
    auditLog: NO_AUDIT,
    observer: NO_OBSERVER,
    store,
    clock,
    ids: { next: (prefix: string) => `${prefix}_${++ids}`, uuid: () => 'uuid' },
    forms: new Map([['of_deleted', { contentType: 'text/plain', toBody: async () => undefined }]]),
    sender: createWebhookSender({ allow: [new URL(receiver.url).host] }),
    onError: (message: string, thrown?: unknown) => {
      throw new Error(message, { cause: thrown });
    },
  };
  const outbox = new WebhookOutbox({
    ...deps,
    nodeBus: NO_OTHER_NODES,
    sessionAccess: { maySee: async () => true },
    questionAccess: { isAsked: () => false },
    keyRing: { callersOf: () => [] },
  });
  const webhookDispatcher = new WebhookDispatcher({ ...deps, outbox });
  const webhookService = new WebhookService({ ...deps, outbox, dispatcher: webhookDispatcher });
  const runWebhooks = new RunWebhookService(deps);
  const webhook = await webhookService.createWebhook({ tenantId: 'acme' }, { url: receiver.url });
  const deliveries = async () => (await webhookService.listDeliveries({ tenantId: 'acme' }, webhook.id, { limit: 100 })).data;
  const announce = () => store.transaction('none', tx => outbox.addEnd(tx, RUN, 'completed'));
  /** Resolves with the delivery once it has these fields and no try goes on. */
  const until = async (expected: Partial<DeliveryRecord>) => {
    for (;;) {
      const [delivery] = await deliveries();
      const isReserved = delivery?.nextAttemptAt === clock.now() + 60_000;
      const fields = Object.entries(expected) as [keyof DeliveryRecord, unknown][];
      if (delivery && !isReserved && fields.every(([key, value]) => delivery[key] === value)) return delivery;
      await new Promise(setImmediate);
    }
  };
  return { webhookDispatcher, webhookService, runWebhooks, outbox, clock, webhook, deliveries, announce, until };
}

it('signs what it sends as Standard Webhooks 1.0 says', async () => {
  const { webhook, announce, webhookDispatcher, until } = await startServices();
  await announce();
  webhookDispatcher.start();
  webhookDispatcher.wake();
  const { headers, body } = await receiver.next();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(webhook.secret.replace('whsec_', ''), 'base64');
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect(headers['webhook-timestamp']).toBe(String(Date.UTC(2026, 0, 1) / 1_000));
  expect(JSON.parse(body)).toEqual({
    type: 'run.completed',
    timestamp: '2026-01-01T00:00:00.000Z',
    data: { runId: 'run_1', sessionId: 'ses_1', status: 'completed' },
  });
  expect(await until({ status: 'delivered' })).toMatchObject({ id: headers['webhook-id'], lastStatus: 204 });
  webhookDispatcher.stop();
});

it('tries again after 5 s, 5 min and so on, with the same id, and gives up after three days', async () => {
  const { clock, announce, webhookDispatcher, until } = await startServices();
  receiver.answer(503);
  await announce();
  webhookDispatcher.start();
  webhookDispatcher.wake();
  const ids = new Set<unknown>();
  for (const [failures, pauseMs] of PAUSES_MS.entries()) {
    ids.add((await receiver.next()).headers['webhook-id']);
    const failed = await until({ attempts: failures + 1, lastStatus: 503 });
    const waitMs = (failed.nextAttemptAt ?? 0) - clock.now();
    expect(waitMs).toBeGreaterThanOrEqual(pauseMs);
    expect(waitMs).toBeLessThanOrEqual(pauseMs * 1.1 + 1);
    // Let the dispatcher set its timer.
    await new Promise(setImmediate);
    clock.advance(waitMs + 1);
    webhookDispatcher.wake();
  }
  ids.add((await receiver.next()).headers['webhook-id']);
  expect(await until({ status: 'failed' })).toMatchObject({ attempts: PAUSES_MS.length + 1, lastError: 'The server answered 503.' });
  expect(ids.size).toBe(1);
  webhookDispatcher.stop();
});

it('disables the webhook after 410, and sends nothing more', async () => {
  const { announce, webhookDispatcher, webhookService, until, deliveries } = await startServices();
  receiver.answer(410);
  await announce();
  webhookDispatcher.start();
  webhookDispatcher.wake();
  expect(await until({ status: 'failed' })).toMatchObject({ lastStatus: 410 });
  expect(await webhookService.listWebhooks('acme')).toMatchObject([{ disabledReason: expect.stringContaining('410') }]);
  await announce();
  expect(await deliveries()).toHaveLength(1);
  webhookDispatcher.stop();
});

it('takes over a delivery whose process ended in the middle', async () => {
  const { clock, announce, webhookDispatcher, until } = await startServices();
  await announce();
  await store.transaction('none', tx => tx.webhooks.claimDeliveries(1, { now: clock.now(), until: clock.now() + 60_000 }));
  webhookDispatcher.start();
  clock.advance(59_000);
  webhookDispatcher.wake();
  expect(receiver.count()).toBe(0);
  clock.advance(1_001);
  webhookDispatcher.wake();
  expect(await until({ status: 'delivered' })).toMatchObject({ attempts: 2 });
  webhookDispatcher.stop();
});

it('follows no redirect, and waits as long as Retry-After says', async () => {
  const { clock, announce, webhookDispatcher, until } = await startServices();
  receiver.answer(302, { location: receiver.url, 'retry-after': '600' });
  await announce();
  webhookDispatcher.start();
  webhookDispatcher.wake();
  const failed = await until({ lastStatus: 302 });
  expect((failed.nextAttemptAt ?? 0) - clock.now()).toBe(600_000);
  expect(receiver.count()).toBe(1);
  webhookDispatcher.stop();
});

it('announces a run that ends before the dispatcher has looked for webhooks', async () => {
  const earlier = await startServices();
  await earlier.announce();
  // The process after it, on the same store.
  const clock = createManualClock(Date.UTC(2026, 0, 2));
  const ids = { next: (prefix: string) => `${prefix}_later`, uuid: () => 'uuid' };
  const outbox = new WebhookOutbox({
    store,
    clock,
    ids,
    nodeBus: NO_OTHER_NODES,
    sessionAccess: { maySee: async () => true },
    questionAccess: { isAsked: () => false },
    keyRing: { callersOf: () => [] },
  });
  await store.transaction('none', tx => outbox.addEnd(tx, RUN, 'completed'));
  expect(await earlier.deliveries()).toHaveLength(2);
});

it('announces a run to the webhook that another process stored for it after the last look, and ends the webhook', async () => {
  const { outbox, webhookService, webhook, runWebhooks } = await startServices();
  await webhookService.deleteWebhook({ tenantId: 'acme' }, webhook.id);
  await outbox.refresh();
  // Nothing tells this outbox of it: a message between nodes may be lost.
  const mine = { runId: 'run_1', label: 'mine', url: receiver.url, form: 'a2a', headers: {} };
  await store.transaction('none', tx => runWebhooks.put(tx, { tenantId: 'acme' }, mine));
  await store.transaction('none', tx => outbox.addEnd(tx, RUN, 'completed'));
  const [stored] = await store.read.webhooks.ofRun('acme', 'run_1');
  expect(stored).toMatchObject({ label: 'mine', runEndedAt: expect.any(Number) });
  expect((await store.read.webhooks.listDeliveries('acme', stored?.id ?? '', { limit: 9 })).data).toMatchObject([
    { type: 'run.completed' },
  ]);
});

it('ends a delivery whose run was deleted with the first try, and sends nothing', async () => {
  const { outbox, runWebhooks, webhookDispatcher } = await startServices();
  const mine = { runId: 'run_1', label: 'mine', url: receiver.url, form: 'of_deleted', headers: {} };
  await store.transaction('none', async tx => {
    for (const { id } of await tx.webhooks.all()) await tx.webhooks.delete('acme', id);
    await runWebhooks.put(tx, { tenantId: 'acme' }, mine);
  });
  await store.transaction('none', tx => outbox.addEnd(tx, RUN, 'completed'));
  webhookDispatcher.start();
  webhookDispatcher.wake();
  const [webhook] = await store.read.webhooks.ofRun('acme', 'run_1');
  const delivery = async () => (await store.read.webhooks.listDeliveries('acme', webhook?.id ?? '', { limit: 1 })).data[0];
  while ((await delivery())?.lastError === undefined) await new Promise(setImmediate);
  expect(await delivery()).toMatchObject({ status: 'failed', attempts: 1, lastError: 'The run was deleted.' });
  expect(receiver.count()).toBe(0);
  webhookDispatcher.stop();
});

it('announces the wait of a member of a crew in the name of its master', async () => {
  const { outbox, deliveries } = await startServices();
  const parent = { runId: 'run_master', sessionId: 'ses_master' };
  await store.transaction('none', tx => outbox.addWait(tx, { tenantId: 'acme', id: 'run_2', sessionId: 'ses_2', parent } as never));
  expect(JSON.parse((await deliveries())[0]?.body ?? '').data).toEqual({ ...parent, status: 'waiting' });
});

it('lets a run end after another process has deleted the webhook', async () => {
  const { webhook, announce } = await startServices();
  await store.transaction('none', tx => tx.webhooks.delete('acme', webhook.id));
  await expect(announce()).resolves.toBeUndefined();
});
