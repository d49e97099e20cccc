/** The owners that the stored workspaces add to the store, and their tables. */
import type { Kysely } from 'kysely';
import { isPostgres } from '../../../adapter/sql/base/dialect';
import type { StorePart } from '../../../adapter/sql/store_part';
import { WorkspaceBlobTable } from './workspace_blob_table';
import { WorkspaceFileTable } from './workspace_file_table';

export const snapshotStore: StorePart = {
  owners: { workspaceFiles: db => new WorkspaceFileTable(db), workspaceBlobs: db => new WorkspaceBlobTable(db) },
  migrations: { workspace_snapshots_001_tables: { up: createTables } },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspace_heads')
    .addColumn('tenant_id', 'text', column => column.primaryKey().notNull())
    .addColumn('version', 'bigint', column => column.notNull())
    .addColumn('files', 'bigint', column => column.notNull())
    .addColumn('bytes', 'bigint', column => column.notNull())
    .execute();
  await db.schema
    .createTable('workspace_files')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('version', 'bigint', column => column.notNull())
    .addColumn('is_deleted', 'integer', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('mode', 'integer', column => column.notNull())
    .addColumn('is_link', 'integer', column => column.notNull())
    .addColumn('session_id', 'text')
    .addPrimaryKeyConstraint('workspace_files_key', ['tenant_id', 'path'])
    .execute();
  await db.schema.createIndex('workspace_files_by_version').on('workspace_files').columns(['tenant_id', 'version']).execute();
  await db.schema.createIndex('workspace_files_by_hash').on('workspace_files').columns(['tenant_id', 'hash']).execute();
  await db.schema
    .createTable('workspace_blobs')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('used_at', 'bigint', column => column.notNull())
    .addColumn('bytes', isPostgres(db) ? 'bytea' : 'blob', column => column.notNull())
    .addPrimaryKeyConstraint('workspace_blobs_key', ['tenant_id', 'hash'])
    .execute();
  await db.schema.createIndex('workspace_blobs_by_use').on('workspace_blobs').columns(['used_at']).execute();
}
