/** Creates webhooks and their deliveries. */
import { type Kysely, sql } from 'kysely';

export async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('events', 'text', column => column.notNull())
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('webhooks_key', ['tenant_id', 'id'])
    .execute();
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('webhook_id', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('delivered_at', 'bigint')
    .addPrimaryKeyConstraint('webhook_deliveries_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint('webhook_deliveries_webhook', ['tenant_id', 'webhook_id'], 'webhooks', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  const deliveries = (index: string) => db.schema.createIndex(index).on('webhook_deliveries');
  await deliveries('webhook_deliveries_due').columns(['next_attempt_at']).where(sql<boolean>`status = 'pending'`).execute();
  await deliveries('webhook_deliveries_by_webhook').columns(['tenant_id', 'webhook_id', 'created_at', 'id']).execute();
  await deliveries('webhook_deliveries_ended').columns(['created_at']).where(sql<boolean>`status <> 'pending'`).execute();
}
