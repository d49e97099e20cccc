/** Reads a Postgres database at one moment: one transaction (REPEATABLE READ), which holds up no writer. */
import type { Client } from 'pg';
import { migrationConfig, publicAddress } from '../postgres/postgres_address';
import { describePostgresError } from '../postgres/postgres_errors';
import { VALUE_TYPES } from '../postgres/postgres_values';
import { ServerClient } from '../postgres/server_client';
import { ArchiveError, NoStoreError, type TableLayout } from './archive_form';
import { sizeOf } from './sqlite_snapshot';
import { type FoundTable, inOrderOfReferences, isArchived, type Row, type StoreSnapshot } from './store_snapshot';

/** A fetch aims at this size; its number of rows follows the size of the rows before. */
const FETCH_BYTES = 1024 * 1024;
const FETCH_ROWS = 5_000;

/** Rejects with a NoStoreError when there is no database of a gateway. */
export async function openPostgresSnapshot(url: string): Promise<StoreSnapshot> {
  const client = await connectTo(url);
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    return {
      migrations: await readMigrations(client, url),
      tables: await readLayouts(client),
      readRows: table => fetchRows(client, table),
      close: () => client.end(),
    };
  } catch (thrown) {
    await client.end().catch(() => {});
    throw thrown;
  }
}

/** Connects without limits of time for statements. Rejects with an ArchiveError. */
export async function connectTo(url: string): Promise<Client> {
  const client = new ServerClient(migrationConfig(url));
  try {
    await client.connect();
    return client;
  } catch (cause) {
    await client.end().catch(() => {});
    throw new ArchiveError(`The database ${publicAddress(url)} cannot be opened: ${describePostgresError(cause)}.`, { cause });
  }
}

async function readMigrations(client: Client, url: string): Promise<string[]> {
  const { rows } = await client.query("select to_regclass('schema_migrations') as name");
  if (rows[0]?.name === null) throw new NoStoreError(`${publicAddress(url)} is no database of a gateway: it has no tables of one.`);
  const migrations = await client.query<{ name: string }>('select name from schema_migrations order by name collate "C"');
  return migrations.rows.map(({ name }) => name);
}

const LAYOUTS = `
  select class.relname as name,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attname collate "C")
      from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped) as columns,
    (select json_agg(attname order by array_position(key.indkey::smallint[], attnum))
      from pg_index key join pg_attribute on attrelid = indrelid and attnum = any (key.indkey::smallint[])
      where indrelid = class.oid and indisprimary) as key,
    (select json_agg(distinct parent.relname)
      from pg_constraint join pg_class parent on parent.oid = confrelid where conrelid = class.oid and contype = 'f') as parents
  from pg_class class where relnamespace = current_schema()::regnamespace and relkind = 'r'`;

interface LayoutRow {
  name: string;
  columns: { name: string; type: string }[];
  key: string[] | null;
  parents: string[] | null;
}

async function readLayouts(client: Client): Promise<TableLayout[]> {
  const { rows } = await client.query<LayoutRow>(LAYOUTS);
  const found = rows
    .filter(({ name }) => isArchived(name))
    .map(
      ({ name, columns, key, parents }): FoundTable => ({
        name,
        key: key ?? [],
        // An index, which the gateway makes again.
        columns: columns.filter(({ type }) => type !== 'tsvector').map(column => ({ name: column.name, type: typeOf(column.type) })),
        parents: parents ?? [],
      }),
    );
  return inOrderOfReferences(found);
}

function typeOf(declared: string): TableLayout['columns'][number]['type'] {
  if (declared === 'integer' || declared === 'bigint' || declared === 'smallint') return 'integer';
  if (declared === 'bytea') return 'bytes';
  return declared === 'text' || declared.startsWith('character varying') ? 'text' : 'number';
}

async function* fetchRows(client: Client, { name, key, columns }: TableLayout): AsyncIterable<Row[]> {
  const quote = (identifier: string) => `"${identifier}"`;
  const names = columns.map(column => quote(column.name));
  const order = key.length > 0 ? key.map(quote) : names;
  await client.query(`declare rows no scroll cursor for select ${names.join(', ')} from ${quote(name)} order by ${order.join(', ')}`);
  try {
    // One row may have many MiB.
    let count = 1;
    for (;;) {
      const { rows } = await client.query<Row>({ text: `fetch ${count} from rows`, types: VALUE_TYPES });
      if (rows.length === 0) return;
      const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
      const fitting = Math.floor((FETCH_BYTES * rows.length) / Math.max(size, 1));
      count = Math.max(1, Math.min(FETCH_ROWS, count * 4, fitting));
      yield rows;
    }
  } finally {
    await client.query('close rows');
  }
}
