/** Works that change many deliveries of a webhook at the same time, over Postgres: none waits for another in a circle. */
import { openPostgresStore } from '../../../src/adapter/postgres/postgres_store';
import type { DeliveryRecord } from '../../../src/feature/webhooks/store/webhook_records';
import { WebhookDispatcher } from '../../../src/feature/webhooks/webhook_dispatcher';
import { WebhookOutbox } from '../../../src/feature/webhooks/webhook_outbox';
import { WebhookService } from '../../../src/feature/webhooks/webhook_service';
import type { Clock } from '../../../src/port/clock';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { Store } from '../../../src/port/store/store';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { NO_OBSERVER } from '../../support/no_observer';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { until } from '../../support/until';

const NOW = Date.UTC(2026, 0, 1);
const COUNT = 8;
const DAY_MS = 86_400_000;

describeWithPostgres('webhooks over Postgres', () => {
  let server: PostgresServer;
  let store: Store;

  beforeAll(async () => {
    server = await startPostgres();
    store = await openPostgresStore({ parts: STORE_PARTS, url: await server.createDatabase() });
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  /** Stores a webhook with deliveries; the one that is stored first is due last. */
  const insert = (webhookId: string, count: number) =>
    store.transaction('none', async tx => {
      const webhook = { tenantId: 'acme', id: webhookId, url: 'https://example.com/hook', events: ['run.completed' as const] };
      await tx.webhooks.insert({ ...webhook, secret: 'whsec_AAAA', createdAt: NOW });
      const delivery = { tenantId: 'acme', webhookId, type: 'run.completed', body: '{}', status: 'pending', attempts: 0, createdAt: NOW };
      const ids = Array.from({ length: count }, (_, i) => ({ id: `${webhookId}_${i}`, nextAttemptAt: NOW - i }));
      await tx.webhooks.insertDeliveries(ids.map(fields => ({ ...delivery, ...fields }) as DeliveryRecord));
    });
  const startServices = (post: () => Promise<{ status: number }>, errors: unknown[], clock: Clock = createManualClock(NOW)) => {
    const ids = { next: () => 'id', uuid: () => 'uuid' };
    const onError = (_: string, thrown?: unknown) => errors.push(thrown);
    const deps = { auditLog: NO_AUDIT, observer: NO_OBSERVER, store, clock, ids, sender: { post } as never, onError };
    const outbox = new WebhookOutbox({
      ...deps,
      nodeBus: NO_OTHER_NODES,
      sessionAccess: { maySee: async () => true },
      questionAccess: { isAsked: () => false },
      keyRing: { callersOf: () => [] },
    });
    const dispatcher = new WebhookDispatcher({ ...deps, forms: new Map(), outbox });
    return { dispatcher, service: new WebhookService({ ...deps, outbox, dispatcher }) };
  };

  it('stores the results of tries that all learn at once that the webhook is gone', async () => {
    await insert('whk_gone', COUNT);
    // Opens the connections: transactions that wait for one do not overlap.
    await Promise.all(Array.from({ length: COUNT }, () => store.check()));
    let tries = 0;
    const { promise: allTried, resolve } = Promise.withResolvers<void>();
    const errors: unknown[] = [];
    const { dispatcher } = startServices(async () => {
      tries += 1;
      if (tries === COUNT) resolve();
      await allTried;
      return { status: 410 };
    }, errors);
    dispatcher.start();
    dispatcher.wake();
    const list = async () => (await store.read.webhooks.listDeliveries('acme', 'whk_gone', { limit: 100 })).data;
    await until(async () => (await list()).every(({ status }) => status === 'failed'));
    await until(async () => (await store.read.webhooks.get('acme', 'whk_gone'))?.disabledReason !== undefined);
    dispatcher.stop();
    expect(errors).toEqual([]);
  });

  it('deletes a webhook while its deliveries are claimed', async () => {
    const { service } = startServices(async () => ({ status: 204 }), []);
    for (let i = 0; i < 5; i++) {
      await insert(`whk_${i}`, 200);
      const claimed = store.transaction({ leader: 'webhooks' }, tx => tx.webhooks.claimDeliveries(200, { now: NOW, until: NOW + 1 }));
      await Promise.all([
        claimed,
        new Promise(next => setTimeout(next, 5 * i)).then(() => service.deleteWebhook({ tenantId: 'acme' }, `whk_${i}`)),
      ]);
      expect(await store.read.webhooks.get('acme', `whk_${i}`)).toBeUndefined();
    }
  });

  it('deletes old deliveries only while no webhook is deleted, which would lock the same rows in another order', async () => {
    const soon = (_: number, callback: () => void) => {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    };
    const { service } = startServices(async () => ({ status: 204 }), [], { ...createManualClock(NOW + 2 * DAY_MS), after: soon });
    await insert('whk_old', COUNT);
    await store.transaction('none', tx => tx.webhooks.disable('acme', 'whk_old', 'gone'));
    const list = async () => (await store.read.webhooks.listDeliveries('acme', 'whk_old', { limit: 100 })).data;
    const { promise: deleting, resolve } = Promise.withResolvers<void>();
    await store.transaction({ leader: 'webhooks' }, async tx => {
      await tx.webhooks.all();
      resolve(service.deleteOldDeliveries(1));
      for (let i = 0; i < 20; i++) await tx.webhooks.all();
      expect(await list()).toHaveLength(COUNT);
    });
    await deleting;
    expect(await list()).toEqual([]);
  });
});
