/**
 * Tables of the search in messages. They are created empty: the indexer fills them in the background, with old messages too, so that the start
 * does not wait.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';
import { addTokens } from './tokens_column';

export async function createMessageSearch(db: Kysely<unknown>): Promise<void> {
  await createDocuments(db);
  await (isPostgres(db) ? createPostgresIndex(db) : createIndex(db));
  await createProgress(db);
}

/** One row for each message in the index. The session deletes its rows, and a trigger deletes their tokens. */
async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_documents')
    .addColumn('id', 'integer', column => (isPostgres(db) ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey()))
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('message_id', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addUniqueConstraint('search_documents_by_session', ['tenant_id', 'session_id', 'message_id'])
    .addForeignKeyConstraint('search_documents_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('search_documents_by_time').on('search_documents').columns(['tenant_id', 'created_at', 'id']).execute();
}

/**
 * Holds tokens only, no text: a hit reads its message. The configuration makes FTS5 merge its segments only when the indexer asks, a little in each
 * transaction; its own merges hold the event loop for up to 200 ms.
 */
async function createIndex(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table search_index using fts5(scope, tokens, content = '', contentless_delete = 1, tokenize = 'ascii')`.execute(
    db,
  );
  await sql`insert into search_index (search_index, rank) values ('automerge', 0), ('crisismerge', 1000)`.execute(db);
  await sql`
    create trigger search_documents_deleted after delete on search_documents begin
      delete from search_index where rowid = old.id;
    end
  `.execute(db);
}

/** SQLite numbers the rows of a table by itself; the indexer follows these numbers. */
async function createPostgresIndex(db: Kysely<unknown>): Promise<void> {
  await addTokens(db, 'search_documents');
  await sql`alter table messages add column place bigint generated always as identity`.execute(db);
  await sql`create unique index messages_by_place on messages (place)`.execute(db);
}

/** One row: the last message that the indexer read, by its place in the table and its id. */
async function createProgress(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_progress')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('last_rowid', 'bigint', column => column.notNull())
    .addColumn('last_message_id', 'text', column => column.notNull())
    .execute();
  await sql`insert into search_progress (id, last_rowid, last_message_id) values (1, 0, '')`.execute(db);
}
