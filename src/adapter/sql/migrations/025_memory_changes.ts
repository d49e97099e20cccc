/** Counts the changes of each tenant's memories, so that a copy in memory knows with one row that it is up to date. */
import type { Kysely } from 'kysely';

export async function countMemoryChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memory_changes')
    .addColumn('tenant_id', 'text', column => column.primaryKey())
    .addColumn('number', 'integer', column => column.notNull())
    .execute();
}
