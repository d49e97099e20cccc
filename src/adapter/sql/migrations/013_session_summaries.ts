/** Creates the summaries of compacted sessions. */
import type { Kysely } from 'kysely';

export async function createSessionSummaries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session_summaries')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('run_ordinal', 'integer', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('session_summaries_key', ['tenant_id', 'session_id'])
    .addForeignKeyConstraint('session_summaries_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}
