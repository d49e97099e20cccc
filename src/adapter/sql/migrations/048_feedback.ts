/** Creates the ratings that people give to answers. */
import type { Kysely } from 'kysely';

export async function createFeedback(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('feedback')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('key_name', 'text', column => column.notNull())
    .addColumn('rating', 'text', column => column.notNull())
    .addColumn('text', 'text')
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('feedback_key', ['tenant_id', 'run_id', 'key_name'])
    .addForeignKeyConstraint('feedback_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('feedback_of_session').on('feedback').columns(['tenant_id', 'session_id']).execute();
  await db.schema.createIndex('feedback_of_tenant').on('feedback').columns(['tenant_id', 'updated_at', 'id']).execute();
  await db.schema.createIndex('feedback_by_time').on('feedback').columns(['updated_at', 'id']).execute();
}
