/** Creates the list of verified backups and their schedule, which has one row. */
import type { Kysely } from 'kysely';

export async function createBackups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('backups')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('file', 'text', column => column.notNull())
    .addColumn('machine', 'text', column => column.notNull())
    .addColumn('bytes', 'bigint', column => column.notNull())
    .addColumn('rows', 'bigint', column => column.notNull())
    .addColumn('files', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute();
  await db.schema.createIndex('backups_by_time').on('backups').columns(['created_at', 'id']).execute();
  await db.schema
    .createTable('backup_schedule')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('every_ms', 'bigint', column => column.notNull())
    .addColumn('keep', 'bigint')
    .addColumn('directory', 'text')
    .addColumn('changed_at', 'bigint', column => column.notNull())
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'bigint')
    .addColumn('failed_at', 'bigint')
    .addColumn('error', 'text')
    .execute();
}
