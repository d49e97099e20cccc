/** Migrations since 055 only add, unless their names say that they take away: a version works with the database of the next one. */
import { Kysely, SqliteDialect, sql } from 'kysely';
import { CONTRACT } from '../../../src/adapter/sql/migrations/migrate';
import { MIGRATIONS } from '../../../src/adapter/sql/migrations/migrations';
import type { StorePart } from '../../../src/adapter/sql/store_part';
import { SqliteConnection } from '../../../src/adapter/sqlite/sqlite_connection';
import { migrateBefore } from '../../support/old_schema';
import { STORE_PARTS } from '../../support/store_parts';

const FIRST = '056';

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
}

type Tables = Map<string, { columns: Column[]; uniques: string[] }>;

async function readTables(db: Kysely<unknown>): Promise<Tables> {
  const tables: Tables = new Map();
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Column>`select name, type, "notnull", dflt_value from pragma_table_info(${name})`.execute(db);
    const uniques = await sql<{ name: string }>`select name from pragma_index_list(${name}) where "unique"`.execute(db);
    tables.set(name, { columns: rows, uniques: uniques.rows.map(index => index.name) });
  }
  return tables;
}

/** Says in words how `after` hinders a version that knows `before` alone. */
function hindrances(before: Tables, after: Tables): string[] {
  return [...before].flatMap(([table, old]) => {
    const now = after.get(table);
    if (!now) return [`${table} is gone`];
    const gone = old.columns.filter(({ name, type }) => !now.columns.some(column => column.name === name && column.type === type));
    const strict = now.columns.filter(column => column.notnull && column.dflt_value === null);
    const demanded = strict.filter(({ name }) => !old.columns.some(column => column.name === name && column.notnull));
    const unique = now.uniques.filter(name => !old.uniques.includes(name));
    return [
      ...gone.map(({ name }) => `${table}.${name} is gone`),
      ...demanded.map(({ name }) => `${table}.${name} is demanded`),
      ...unique.map(name => `${name} allows fewer rows`),
    ];
  });
}

test('each migration leaves a database that the version before can use', async () => {
  const connection = SqliteConnection.open(':memory:', { busyTimeoutMs: 1_000 });
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) });
  await migrateBefore(db, FIRST);
  const parts: StorePart[] = Object.values(STORE_PARTS);
  const all = [MIGRATIONS, ...parts.map(({ migrations = {} }) => migrations)].flatMap(Object.entries);
  const found: string[] = [];
  for (const [name, migration] of all.filter(([one]) => one >= FIRST)) {
    const before = await readTables(db);
    await migration.up(db);
    if (!CONTRACT.test(name)) found.push(...hindrances(before, await readTables(db)).map(hindrance => `${name}: ${hindrance}`));
  }
  connection.close();
  expect(found).toEqual([]);
  const table = { columns: [{ name: 'id', type: 'text', notnull: 1, dflt_value: null }], uniques: [] };
  const narrowed = { columns: [{ name: 'key', type: 'text', notnull: 1, dflt_value: null }], uniques: ['one_key'] };
  expect(
    hindrances(
      new Map([
        ['a', table],
        ['b', table],
      ]),
      new Map([['a', narrowed]]),
    ),
  ).toEqual(['a.id is gone', 'a.key is demanded', 'one_key allows fewer rows', 'b is gone']);
});
