/** The column of search tokens in Postgres; SQLite has tables of FTS5 instead. */
import { type Kysely, sql } from 'kysely';

/** Tokens are those of src/utils/search_tokens.ts, and marks of tenant, session and role that the index finds with them. */
export async function addTokens(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema.alterTable(table).addColumn('tokens', sql`tsvector`).execute();
  await db.schema.createIndex(`${table}_by_token`).on(table).using('gin').column('tokens').execute();
}
