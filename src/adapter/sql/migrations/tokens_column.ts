/** The column of search tokens in Postgres; SQLite has tables of FTS5 instead. */
import { type Kysely, sql } from 'kysely';

/**
 * Tokens are those of src/utils/search_tokens.ts, and marks of tenant, session and role that the index finds with them. `fastupdate` would keep new
 * tokens of all tenants in one list, which each search reads whole.
 */
export async function addTokens(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema.alterTable(table).addColumn('tokens', sql`tsvector`).execute();
  const index = sql.table(`${table}_by_token`);
  await sql`create index ${index} on ${sql.table(table)} using gin (tokens) with (fastupdate = off)`.execute(db);
}
