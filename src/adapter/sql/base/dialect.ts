/** Holds what differs between SQLite and Postgres in the queries of this folder. Everything else is SQL that both understand. */
import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';

/** A database of any schema: the types of a migration and of a query differ. */
type Database = Pick<Kysely<unknown>, 'getExecutor'>;

/** Returns true for Postgres, false for SQLite. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * The text at `path` in a column that holds JSON; null when there is none. `neta_json` (024_ops.ts) returns null for JSON that Postgres
 * cannot hold.
 */
export function jsonText(db: Database, column: string, ...path: string[]): RawBuilder<string | null> {
  if (isPostgres(db)) return sql`(neta_json(${sql.ref(column)}) #>> ${sql.lit(`{${path.join()}}`)})`;
  return sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${path.join('.')}`)})`;
}

/** The items of a JSON list as rows: `place.value` is the text of an item, `place.key` its number. Put the expression where a table stands. */
export function jsonItems(db: Database, list: unknown): RawBuilder<unknown> {
  if (isPostgres(db)) return sql`jsonb_array_elements_text(cast(${list} as jsonb)) with ordinality as place (value, key)`;
  return sql`json_each(${list}) as place`;
}

/** Hides the indexes of the column from SQLite, which would otherwise walk a long index in the order of a list. */
export const unindexed = (db: Database, column: string): RawBuilder<unknown> =>
  isPostgres(db) ? sql.ref(column) : sql`+${sql.ref(column)}`;

/**
 * The present time, in milliseconds since 1970: by the clock of a database server, which all gateways share; with SQLite `processTime`. It is the same
 * in a whole statement, so that an index serves a comparison with it.
 */
export const storeTime = (db: Database, processTime: number): RawBuilder<number> =>
  isPostgres(db) ? sql`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)` : sql`${processTime}`;

/** Makes SQLite read the tables in the order of the statement. Put the expression before `join`. */
export const inThisOrder = (db: Database): RawBuilder<unknown> => (isPostgres(db) ? sql`` : sql`cross `);

/** Compares texts with a pattern; ignores the case of ASCII letters at least. */
export const isLike = (db: Database, column: string, pattern: string): RawBuilder<SqlBool> =>
  isPostgres(db) ? sql`${sql.ref(column)} ilike ${pattern} escape '\\'` : sql`${sql.ref(column)} like ${pattern} escape '\\'`;

/** The size of the database in bytes. */
export const databaseBytes = (db: Database): RawBuilder<number> =>
  isPostgres(db)
    ? sql`pg_database_size(current_database())`
    : sql`(select page_count from pragma_page_count()) * (select page_size from pragma_page_size())`;
