/** Creates the vectors of texts, and marks the messages of child sessions in the search index. */
import { type Kysely, sql } from 'kysely';

export async function createVectors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('text_vectors')
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('content_hash', 'text', column => column.notNull())
    // 32-bit floats, little-endian.
    .addColumn('vector', 'blob', column => column.notNull())
    .addColumn('used_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('text_vectors_key', ['content_hash', 'model'])
    .execute();
  await db.schema.createIndex('text_vectors_by_use').on('text_vectors').columns(['used_at']).execute();
  await db.schema
    .alterTable('search_documents')
    .addColumn('is_child', 'integer', column => column.notNull().defaultTo(0))
    .execute();
  await sql`
    update search_documents set is_child = 1
    where (tenant_id, session_id) in (select tenant_id, id from sessions where parent_session_id is not null)
  `.execute(db);
}
