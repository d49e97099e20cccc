/** The owner that /v1/files adds to the store, and its table. */
import { type Kysely, sql } from 'kysely';
import { addOwner } from '../../../../adapter/sql/migrations/owned_columns';
import type { StorePart } from '../../../../adapter/sql/store_part';
import { FileTable } from './file_table';

export const fileStore = {
  owners: { uploadedFiles: db => new FileTable(db) },
  migrations: { openai_door_064_files: { up: createFiles }, openai_door_110_owners: { up: db => addOwner(db, 'openai_files') } },
} satisfies StorePart;

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('openai_files')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('filename', 'text', column => column.notNull())
    .addColumn('purpose', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addPrimaryKeyConstraint('openai_files_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('openai_files_by_time').on('openai_files').columns(['tenant_id', 'created_at', 'id']).execute();
  await db.schema
    .createIndex('openai_files_to_delete')
    .on('openai_files')
    .columns(['expires_at'])
    .where(sql<boolean>`expires_at is not null`)
    .execute();
}
