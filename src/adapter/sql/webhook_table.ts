/** Queries about webhooks and their deliveries. */
import { type Kysely, sql } from 'kysely';
import type { Page, PageRequest } from '../../port/store/page';
import type { DeliveryPatch, DeliveryRecord, WebhookRecord } from '../../port/store/webhooks';
import { type ListOrder, readPage } from './cursor';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  toDeliveryRecord,
  toDeliveryRow,
  toWebhookRecord,
  toWebhookRow,
  WEBHOOK_COLUMNS,
  type WebhookRow,
} from './webhook_rows';

const ORDER: ListOrder = { list: 'webhook_deliveries', columns: ['created_at', 'id'], second: 'string', direction: 'desc' };
const DELETED_AT_ONCE = 1_000;

type Key = Pick<DeliveryRow, 'tenant_id' | 'id'>;
type Disabling = Key & { reason: string };
type Update = Key & Omit<DeliveryRow, 'webhook_id' | 'type' | 'body' | 'created_at' | 'trace'>;

export class WebhookTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async all(): Promise<WebhookRecord[]> {
    return (await this.runner.rows(this.statements.all({}))).map(toWebhookRecord);
  }

  async get(tenantId: string, id: string): Promise<WebhookRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, id }));
    return row && toWebhookRecord(row);
  }

  async insert(webhook: WebhookRecord): Promise<void> {
    await this.statements.insert(this.runner, [toWebhookRow(webhook)]);
  }

  async delete(tenantId: string, id: string): Promise<boolean> {
    return (await this.runner.changes(this.statements.delete({ tenant_id: tenantId, id }))) > 0;
  }

  async disable(tenantId: string, id: string, reason: string): Promise<void> {
    const key = { tenant_id: tenantId, id, reason };
    await this.runner.changes(this.statements.disable(key));
    await this.runner.changes(this.statements.failPending(key));
  }

  listDeliveries(tenantId: string, webhookId: string, page: PageRequest): Promise<Page<DeliveryRecord>> {
    const query = this.db
      .selectFrom('webhook_deliveries')
      .select(DELIVERY_COLUMNS)
      .where('tenant_id', '=', tenantId)
      .where('webhook_id', '=', webhookId);
    return readPage(this.runner, query, { order: ORDER, long: ['body'], toRecord: toDeliveryRecord }, page);
  }

  async getDelivery(tenantId: string, id: string): Promise<DeliveryRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.getDelivery({ tenant_id: tenantId, id }));
    return row && toDeliveryRecord(row);
  }

  async insertDeliveries(deliveries: readonly DeliveryRecord[]): Promise<void> {
    await this.statements.insertDeliveries(this.runner, deliveries.map(toDeliveryRow));
  }

  async nextDeliveryAt(): Promise<number | undefined> {
    const [row] = await this.runner.rows(this.statements.nextAt({}));
    return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
  }

  async claimDeliveries(limit: number, { now, until }: { now: number; until: number }): Promise<DeliveryRecord[]> {
    const due = (await this.runner.rows(this.statements.due({ now, limit }))).map(toDeliveryRecord);
    for (const { tenantId, id } of due) await this.runner.changes(this.statements.reserve({ tenant_id: tenantId, id, until }));
    return due.map(delivery => ({ ...delivery, attempts: delivery.attempts + 1, nextAttemptAt: until }));
  }

  async updateDelivery(tenantId: string, id: string, attempt: number, patch: DeliveryPatch): Promise<void> {
    await this.runner.changes(
      this.statements.update({
        tenant_id: tenantId,
        id,
        attempts: attempt,
        status: patch.status,
        next_attempt_at: patch.nextAttemptAt ?? null,
        last_status: patch.lastStatus ?? null,
        last_error: patch.lastError ?? null,
        delivered_at: patch.deliveredAt ?? null,
      }),
    );
  }

  async replayDelivery(tenantId: string, id: string, now: number): Promise<boolean> {
    return (await this.runner.changes(this.statements.replay({ tenant_id: tenantId, id, now }))) > 0;
  }

  deleteOldDeliveries(time: number): Promise<number> {
    return this.runner.changes(this.statements.deleteOld({ time }));
  }
}

function statements(db: Kysely<Schema>) {
  const webhooks = db.selectFrom('webhooks').select(WEBHOOK_COLUMNS);
  return {
    all: template(() => webhooks.orderBy('created_at').orderBy('id')),
    get: template((key: Key) => webhooks.where('tenant_id', '=', key.tenant_id).where('id', '=', key.id)),
    insert: insertRows<WebhookRow>(WEBHOOK_COLUMNS, rows => db.insertInto('webhooks').values(rows)),
    delete: template((key: Key) => db.deleteFrom('webhooks').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id)),
    disable: template((key: Disabling) =>
      db.updateTable('webhooks').set({ disabled_reason: key.reason }).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    ...deliveryStatements(db),
  };
}

function deliveryStatements(db: Kysely<Schema>) {
  const deliveries = db.selectFrom('webhook_deliveries').select(DELIVERY_COLUMNS);
  const change = db.updateTable('webhook_deliveries');
  const isPending = sql<boolean>`status = 'pending'`;
  return {
    getDelivery: template((key: Key) => deliveries.where('tenant_id', '=', key.tenant_id).where('id', '=', key.id)),
    insertDeliveries: insertRows<DeliveryRow>(DELIVERY_COLUMNS, rows => db.insertInto('webhook_deliveries').values(rows)),
    nextAt: template(() => db.selectFrom('webhook_deliveries').select(sql<number | null>`min(next_attempt_at)`.as('at')).where(isPending)),
    due: template((due: { now: number; limit: number }) =>
      deliveries.where(isPending).where('next_attempt_at', '<=', due.now).orderBy('next_attempt_at').limit(due.limit),
    ),
    reserve: template((key: Key & { until: number }) =>
      change
        .set(eb => ({ next_attempt_at: key.until, attempts: eb('attempts', '+', sql.lit(1)) }))
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.id),
    ),
    update: template((row: Update) =>
      change
        .set({
          status: row.status,
          next_attempt_at: row.next_attempt_at,
          last_status: row.last_status,
          last_error: row.last_error,
          delivered_at: row.delivered_at,
        })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .where('attempts', '=', row.attempts)
        .where(isPending),
    ),
    failPending: template((key: Disabling) =>
      change
        .set({ status: sql.lit('failed'), next_attempt_at: null, last_error: key.reason })
        .where('tenant_id', '=', key.tenant_id)
        .where('webhook_id', '=', key.id)
        .where(isPending),
    ),
    replay: template((key: Key & { now: number }) =>
      change
        .set({ status: sql.lit('pending'), next_attempt_at: key.now })
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.id)
        .where('status', '<>', sql.lit('pending')),
    ),
    deleteOld: template(({ time }: { time: number }) =>
      db
        .deleteFrom('webhook_deliveries')
        .where(({ eb, refTuple }) =>
          eb(
            refTuple('tenant_id', 'id'),
            'in',
            eb
              .selectFrom('webhook_deliveries')
              .select(['tenant_id', 'id'])
              .where(sql<boolean>`status <> 'pending'`)
              .where('created_at', '<', time)
              .limit(sql.lit(DELETED_AT_ONCE))
              .$asTuple('tenant_id', 'id'),
          ),
        ),
    ),
  };
}
