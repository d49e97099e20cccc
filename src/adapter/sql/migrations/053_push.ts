/** Creates the devices that get notifications by web push, the notifications that wait, the one-time actions in them, and the keys that sign them. */
import type { Kysely } from 'kysely';

export async function createPush(db: Kysely<unknown>): Promise<void> {
  await createKeysAndSubscriptions(db);
  await db.schema
    .createTable('push_deliveries')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('subscription_id', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('outcome', 'text')
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('next_attempt_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('push_deliveries_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint(
      'push_deliveries_subscription',
      ['tenant_id', 'subscription_id'],
      'push_subscriptions',
      ['tenant_id', 'id'],
      key => key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('push_deliveries_due').on('push_deliveries').columns(['next_attempt_at']).execute();
  await db.schema.createIndex('push_deliveries_by_subscription').on('push_deliveries').columns(['tenant_id', 'subscription_id']).execute();
  await createActions(db);
}

async function createKeysAndSubscriptions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('push_keys')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('public_key', 'text', column => column.notNull())
    .addColumn('private_key', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute();
  await db.schema
    .createTable('push_subscriptions')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('endpoint', 'text', column => column.notNull().unique())
    .addColumn('public_key', 'text', column => column.notNull())
    .addColumn('auth_secret', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('key_name', 'text', column => column.notNull())
    .addColumn('key_hash', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('push_subscriptions_key', ['tenant_id', 'id'])
    .execute();
}

async function createActions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('push_actions')
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('subscription_id', 'text', column => column.notNull())
    .addColumn('request_id', 'text', column => column.notNull())
    .addColumn('arguments_hash', 'text', column => column.notNull())
    .addColumn('key_name', 'text', column => column.notNull())
    .addColumn('key_hash', 'text')
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('used_at', 'bigint')
    .addForeignKeyConstraint(
      'push_actions_subscription',
      ['tenant_id', 'subscription_id'],
      'push_subscriptions',
      ['tenant_id', 'id'],
      key => key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('push_actions_by_end').on('push_actions').columns(['expires_at']).execute();
  await db.schema.createIndex('push_actions_by_subscription').on('push_actions').columns(['tenant_id', 'subscription_id']).execute();
}
