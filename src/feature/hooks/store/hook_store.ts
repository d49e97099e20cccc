/** The owner that inbound webhooks add to the store, and its table. */
import type { Kysely } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { HookTable } from './hook_table';

export const hookStore: StorePart = {
  owners: { hooks: db => new HookTable(db) },
  migrations: { hooks_068_hooks: { up: createHooks }, hooks_078_calls: { up: createCalls } },
};

async function createHooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hooks')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('template', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('session', 'text', column => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull())
    .addColumn('key_name', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('hooks_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('hooks_by_id').on('hooks').columns(['id']).execute();
}

async function createCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hook_calls')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('hook_id', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('outcome', 'text', column => column.notNull())
    .addColumn('code', 'text')
    .addColumn('run_id', 'text')
    .addColumn('message_id', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('hook_calls_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint('hook_calls_hook', ['tenant_id', 'hook_id'], 'hooks', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
  await db.schema.createIndex('hook_calls_newest').on('hook_calls').columns(['tenant_id', 'hook_id', 'created_at', 'id']).execute();
}
