/** Creates the memories, their search index, and the list of memories that a session has in its prompt. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';
import { addTokens } from './tokens_column';

export async function createMemories(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memories')
    // The row of memory_search; VACUUM keeps it, unlike an implicit rowid.
    .addColumn('search_id', 'integer', column => column.primaryKey().autoIncrement())
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addUniqueConstraint('memories_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('memories_by_update').on('memories').columns(['tenant_id', 'updated_at', 'id']).execute();
  await db.schema.createIndex('memories_by_kind').on('memories').columns(['tenant_id', 'kind', 'updated_at', 'id']).execute();
  await db.schema.createIndex('memories_by_fingerprint').on('memories').columns(['tenant_id', 'fingerprint']).execute();
  // Tokens of src/utils/search_tokens.ts; the column `tenant` lets a search skip the memories of other tenants.
  await (isPostgres(db) ? addTokens(db, 'memories') : createSearch(db));
  await db.schema
    .createTable('session_memory_blocks')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('memory_ids', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('session_memory_blocks_key', ['tenant_id', 'session_id'])
    .addForeignKeyConstraint('session_memory_blocks_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}

async function createSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create virtual table memory_search using fts5(tenant, tokens, content = '', contentless_delete = 1, tokenize = 'ascii')
  `.execute(db);
}
