/** Creates the locks of files that gateways share. */
import type { Kysely } from 'kysely';

export async function createFileLocks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('file_locks')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('owner', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('file_locks_key', ['tenant_id', 'path'])
    .execute();
}
