/** Webhooks of a tenant: made, listed, deleted; their deliveries listed and sent again. */
import { AppError, invalidField } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store } from '../../port/store/store';
import type { WebhookSender } from '../../port/webhook_sender';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../port/webhook_sender';
import { ownerOf } from '../../service/access/session_access';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { workInParts } from '../../service/in_parts';
import { OncePerKey } from '../../service/once_per_key';
import { createWebhookSecret, isWebhookSecret } from '../../utils/webhook_signature';
import { checkWebhookUrl } from './check_webhook_url';
import { type DeliveryRecord, type WebhookRecord } from './store/webhook_records';
import type { WebhookDispatcher } from './webhook_dispatcher';
import type { WebhookOutbox } from './webhook_outbox';

const MAX_WEBHOOKS = 50;
const DAY_MS = 86_400_000;
const DELIVERY_PARTS = { first: 200, most: 2_000 };

export interface WebhookRequest {
  url: string;
  /** Events that the webhook wants. Default: all. */
  events?: readonly WebhookEvent[];
  /** Secret of the webhook. Default: a new one. */
  secret?: string;
}

export interface WebhookServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  sender: WebhookSender;
  outbox: WebhookOutbox;
  dispatcher: WebhookDispatcher;
  auditLog: AuditRecorder;
}

export class WebhookService {
  constructor(private readonly deps: WebhookServiceDeps) {}

  /** All tenants: deletes ended deliveries that are older than `days`; 0 keeps them for ever. */
  async deleteOldDeliveries(days: number): Promise<void> {
    const { store, clock } = this.deps;
    if (days === 0) return;
    const before = clock.now() - days * DAY_MS;
    // The deletion of a webhook deletes the same rows in another order, so both need the same lock.
    await workInParts({ store, clock }, { leader: 'webhooks' }, DELIVERY_PARTS, async (tx, size) => {
      return (await tx.webhooks.deleteOldDeliveries(before, size)) > 0;
    });
  }

  async listWebhooks(tenantId: string): Promise<WebhookRecord[]> {
    return (await this.deps.store.lists.webhooks.all()).filter(webhook => webhook.tenantId === tenantId);
  }

  /**
   * Rejects with `invalid_request` for an address that may not be reached or a bad secret, with `quota_exceeded` beyond 50 webhooks, and like
   * OncePerKey. `once`: the same request made it before.
   */
  async createWebhook(
    actor: Actor,
    { url, events = WEBHOOK_EVENTS, secret }: WebhookRequest,
    once = new OncePerKey(),
  ): Promise<WebhookRecord> {
    const { store, clock, ids, outbox, auditLog } = this.deps;
    const { tenantId } = actor;
    if (secret !== undefined && !isWebhookSecret(secret)) throw badSecret();
    const webhook: WebhookRecord = {
      tenantId,
      id: ids.next('whk'),
      url: checkWebhookUrl(this.deps.sender, url, '/url'),
      events: WEBHOOK_EVENTS.filter(event => events.includes(event)),
      secret: secret ?? createWebhookSecret(),
      createdAt: clock.now(),
      madeBy: actor.keyName,
    };
    await store.transaction({ tenant: tenantId, ...once.lockOf(tenantId) }, tx =>
      once.makeOnce(tx, { tenantId, now: webhook.createdAt }, async () => {
        const known = await tx.webhooks.all();
        if (known.filter(webhook => webhook.tenantId === tenantId).length >= MAX_WEBHOOKS) throw tooMany();
        await tx.webhooks.insert(webhook);
        // The rest of the URL may hold a secret.
        const details = { host: new URL(webhook.url).host, events: webhook.events };
        await auditLog.record({ ...byActor(actor), action: 'webhook.create', target: webhook.id, details }, tx);
        return webhook.id;
      }),
    );
    await outbox.applyChange();
    if (once.replayedId === undefined) return webhook;
    const earlier = await store.read.webhooks.get(tenantId, once.replayedId);
    if (!earlier) throw new AppError('not_found');
    return earlier;
  }

  /** Deletes its deliveries too. Rejects with `not_found`. */
  async deleteWebhook(actor: Actor, id: string): Promise<void> {
    await this.deps.store.transaction({ leader: 'webhooks' }, async tx => {
      if (!(await tx.webhooks.delete(actor.tenantId, id))) throw new AppError('not_found');
      await this.deps.auditLog.record({ ...byActor(actor), action: 'webhook.delete', target: id }, tx);
    });
    await this.deps.outbox.applyChange();
  }

  /** Lists the deliveries of a webhook. Rejects with `not_found`, also for the webhook of another person, which hears of private sessions. */
  async listDeliveries(actor: Actor, webhookId: string, page: PageRequest): Promise<Page<DeliveryRecord>> {
    await this.assertReadable(actor, webhookId);
    const { lists } = this.deps.store;
    const { tenantId } = actor;
    return lists.webhooks.listDeliveries(tenantId, webhookId, page);
  }

  /** Sends an ended delivery again with the same id; a pending delivery stays as it is. Rejects as `listDeliveries` does. */
  async replayDelivery(actor: Actor, webhookId: string, id: string): Promise<DeliveryRecord> {
    const { store, clock, dispatcher, auditLog } = this.deps;
    const { tenantId } = actor;
    const find = async () => {
      const delivery = await store.read.webhooks.getDelivery(tenantId, id);
      if (delivery?.webhookId !== webhookId) throw new AppError('not_found');
      return delivery;
    };
    await this.assertReadable(actor, webhookId);
    await find();
    await store.transaction('none', async tx => {
      const isReplayed = await tx.webhooks.replayDelivery(tenantId, id, clock.now());
      const entry = { ...byActor(actor), action: 'webhook.replay' as const, target: webhookId, details: { delivery: id } };
      if (isReplayed) await auditLog.record(entry, tx);
    });
    dispatcher.wake();
    return find();
  }

  private async assertReadable({ tenantId, keyName }: Actor, webhookId: string): Promise<void> {
    const webhook = await this.deps.store.read.webhooks.get(tenantId, webhookId);
    const person = ownerOf(webhook?.madeBy);
    if (!webhook || (person !== undefined && person !== keyName)) throw new AppError('not_found');
  }
}

const badSecret = (): AppError =>
  invalidField('/secret', 'must be whsec_ and 24 to 64 bytes in base64.', '必须是 whsec_ 加上 24 到 64 个字节的 base64。');

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `There are ${MAX_WEBHOOKS} webhooks already: delete one first.`,
    messageZh: `已有 ${MAX_WEBHOOKS} 个 webhook：请先删除一个。`,
  });

/** The services of this feature, by the names under which its controllers inject them. */
export interface WebhookServices {
  webhookService: WebhookService;
}
