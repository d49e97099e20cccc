/** Sessions that are being copied in parts, with how far each copy is. A session with such a row is not shown. */
import type { Kysely } from 'kysely';

export async function createSessionCopies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session_copies')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('source_id', 'text', column => column.notNull())
    // The last run that is copied, and how many messages there are to copy.
    .addColumn('last_ordinal', 'integer', column => column.notNull())
    .addColumn('total', 'integer', column => column.notNull())
    // The last message of the source that was copied, and how many were.
    .addColumn('run_ordinal', 'integer', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('copied', 'integer', column => column.notNull())
    // 0: given up.
    .addColumn('touched_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('session_copies_key', ['tenant_id', 'session_id'])
    .addForeignKeyConstraint('session_copies_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}
