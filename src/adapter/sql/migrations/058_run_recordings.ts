/** Keeps with a run what it takes to replay it. */
import type { Kysely } from 'kysely';

export async function createRunRecordings(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('recording', 'text').execute();
  await db.schema
    .createTable('prompt_parts')
    .addColumn('tenant_id', 'text', column => column.notNull())
    // The session whose texts the part holds; '*' for a part that many sessions share.
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('used_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('prompt_parts_key', ['tenant_id', 'owner', 'hash'])
    .addForeignKeyConstraint('prompt_parts_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('prompt_parts_of_session').on('prompt_parts').columns(['tenant_id', 'session_id']).execute();
}
