/**
 * Renews the search indexes: their tokens carry the tenant. The indexer fills the new ones and removes the old ones in the background, so that the
 * start does not wait. The old entries of `search_documents` stay until the indexer replaces them; their ids are below FIRST_ROW.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';

/** FIRST_ROW of `search_terms.ts`. */
const FIRST_ROW = '4503599627370496';

export async function searchByTenant(db: Kysely<unknown>): Promise<void> {
  await addRanks(db);
  if (isPostgres(db)) return extendPostgres(db);
  await sql`drop trigger search_documents_deleted`.execute(db);
  await putOldIndexesAside(db);
  await createIndexes(db);
  await sql`update search_progress set last_rowid = 0, last_message_id = ''`.execute(db);
}

/** Names what is left to do in `settings`: the newest memory that is not in the new index. An empty database has nothing to do. */
async function putOldIndexesAside(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ newest: number }>`
    select coalesce((select max(search_id) from memories), 0) as newest
    where exists (select 1 from memories) or exists (select 1 from search_documents)
  `.execute(db);
  const [left] = rows;
  for (const table of ['search_index', 'memory_search']) {
    const name = sql.table(table);
    await (left ? sql`alter table ${name} rename to ${sql.table(`old_${table}`)}` : sql`drop table ${name}`).execute(db);
  }
  if (left) await sql`insert into settings (key, value) values ('search_upgrade', ${String(left.newest)})`.execute(db);
}

/** The first version over Postgres has tokens of tenants. The application gives ids, above those of 32 bits. */
async function extendPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`alter table search_documents alter column id drop identity`.execute(db);
  await sql`alter table search_documents alter column id type bigint`.execute(db);
}

/** As in migrations 004 and 005, without a column for the tenant. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const options = sql.raw("content = '', contentless_delete = 1, tokenize = 'ascii'");
  await sql`create virtual table search_index using fts5(scope, tokens, ${options})`.execute(db);
  await sql`insert into search_index (search_index, rank) values ('automerge', 0), ('crisismerge', 1000)`.execute(db);
  await sql`create virtual table memory_search using fts5(tokens, ${options})`.execute(db);
  await sql`
    create trigger search_documents_deleted after delete on search_documents when old.id > ${sql.raw(FIRST_ROW)} begin
      delete from search_index where rowid = old.id;
    end
  `.execute(db);
}

/** Adds the columns that rank a match, and the numbers of tenants. */
async function addRanks(db: Kysely<unknown>): Promise<void> {
  // Number of tokens of the message.
  await db.schema
    .alterTable('search_documents')
    .addColumn('length', 'integer', column => column.notNull().defaultTo(0))
    .execute();
  // Repeated words: word_counts.ts.
  await db.schema
    .alterTable('search_documents')
    .addColumn('counts', isPostgres(db) ? 'bytea' : 'blob')
    .execute();
  await db.schema
    .createTable('search_tenants')
    .addColumn('tenant_id', 'text', column => column.primaryKey())
    .addColumn('number', 'integer', column => column.notNull().unique())
    .addColumn('documents', 'bigint', column => column.notNull())
    .execute();
}
