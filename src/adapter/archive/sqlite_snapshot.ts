/** Reads a SQLite database at one moment: one read transaction, which holds up no writer. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveError, NoStoreError, type TableLayout } from './archive_form';
import { type FoundTable, inOrderOfReferences, isArchived, type Row, type StoreSnapshot } from './store_snapshot';

/** Rows are read until their texts and bytes have this size. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 5_000;

/** Throws a NoStoreError when there is no database of a gateway. */
export function openSqliteSnapshot(path: string): StoreSnapshot {
  if (!existsSync(path))
    throw new NoStoreError(`There is no database ${path}: set NETA_DATA_DIR, or run the command in the directory of the gateway.`);
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma query_only = on; pragma busy_timeout = 5000; begin');
    const migrations = readMigrations(database, path);
    return {
      migrations,
      tables: readLayouts(database),
      async *readRows(table) {
        yield* batches(database, table);
      },
      async close() {
        if (database.isOpen) database.close();
      },
    };
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** The first read begins the snapshot. */
function readMigrations(database: DatabaseSync, path: string): string[] {
  const tables = database.prepare('select name from sqlite_schema').all();
  if (tables.length === 0) throw new NoStoreError(`${path} is an empty database.`);
  if (!tables.some(({ name }) => name === 'schema_migrations')) throw new ArchiveError(`${path} belongs to another program.`);
  return database
    .prepare('select name from schema_migrations order by name')
    .all()
    .map(({ name }) => String(name));
}

function readLayouts(database: DatabaseSync): TableLayout[] {
  const tables = database.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'").all();
  const names = tables.map(({ name }) => String(name)).filter(name => !name.startsWith('sqlite_') && isArchived(name));
  return inOrderOfReferences(names.map(name => readLayout(database, name)));
}

function readLayout(database: DatabaseSync, name: string): FoundTable {
  const columns = database.prepare('select name, type, pk from pragma_table_info(?)').all(name);
  const keys = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a['pk']) - Number(b['pk']));
  const parents = database.prepare('select distinct "table" as parent from pragma_foreign_key_list(?)').all(name);
  return {
    name,
    key: keys.map(column => String(column['name'])),
    columns: columns
      .map(column => ({ name: String(column['name']), type: typeOf(String(column['type'])) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    parents: parents.map(({ parent }) => String(parent)),
  };
}

function typeOf(declared: string): TableLayout['columns'][number]['type'] {
  const type = declared.toLowerCase();
  if (type === 'integer' || type === 'bigint') return 'integer';
  if (type === 'blob') return 'bytes';
  return type === 'text' || type.startsWith('varchar') ? 'text' : 'number';
}

function* batches(database: DatabaseSync, { name, key, columns }: TableLayout): Iterable<Row[]> {
  const quote = (identifier: string) => `"${identifier}"`;
  const names = columns.map(column => quote(column.name));
  const order = key.length > 0 ? key.map(quote) : names;
  const rows = database.prepare(`select ${names.join(', ')} from ${quote(name)} order by ${order.join(', ')}`).iterate();
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (size < BATCH_BYTES && batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** About the size of the texts and bytes of a row. */
export function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row)) {
    if (typeof value === 'string') size += value.length;
    else if (value instanceof Uint8Array) size += value.byteLength;
  }
  return size;
}
