/** Creates the responses of /v1/responses. */
import { type Kysely, sql } from 'kysely';

export async function createResponses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('responses')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('settings', 'text', column => column.notNull())
    .addColumn('input', 'text', column => column.notNull())
    .addColumn('is_kept', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('responses_key', ['tenant_id', 'run_id'])
    .addForeignKeyConstraint('responses_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('responses_by_session').on('responses').columns(['tenant_id', 'session_id']).execute();
  await db.schema.createIndex('responses_to_delete').on('responses').columns(['created_at']).where(sql<boolean>`is_kept = 0`).execute();
}
