/** Loads a SQLite database beside its place, and renames it. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Kysely, SqliteDialect } from 'kysely';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { prepareDatabaseFile } from '../sqlite/database_file';
import { SqliteConnection } from '../sqlite/sqlite_connection';
import type { TableLayout } from './archive_form';
import type { Staging } from './staged_store';

const WAIT_MS = 5_000;

/** `path`: the place of the database. */
export function openSqliteStaging(path: string): Staging {
  const beside = `${path}.restoring`;
  let connection = open(beside);
  // Each statement uses the connection that is open now.
  const database = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: { close() {}, prepare: statement => connection.prepare(statement) } }),
  });
  const runner: Runner = {
    rows: async query => connection.rows(query),
    changes: async query => connection.changes(query),
    write: async query => void connection.changes(query),
  };
  return {
    db: database,
    runner,
    async transact(work) {
      connection.execute('begin immediate');
      try {
        await work();
        connection.execute('commit');
      } catch (thrown) {
        if (connection.isInTransaction) connection.execute('rollback');
        throw thrown;
      }
    },
    insert: async (table, lines) => insertLines(connection, table, lines),
    // The largest number of a table is read from its rows.
    resetNumbers: async () => {},
    async clear() {
      connection.close();
      await removeDatabase(beside);
      connection = open(beside);
    },
    async takePlace() {
      connection.execute('pragma wal_checkpoint(truncate)');
      connection.close();
      await removeDatabase(path);
      await rename(beside, path);
    },
    close: async () => connection.close(),
  };
}

function open(path: string): SqliteConnection {
  prepareDatabaseFile(path, () => {});
  const connection = SqliteConnection.open(path, { busyTimeoutMs: WAIT_MS });
  // The rows come from a database whose references held.
  connection.execute('pragma foreign_keys = off');
  return connection;
}

async function removeDatabase(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) await rm(file);
}

function insertLines(connection: SqliteConnection, { name, columns }: TableLayout, lines: Buffer): void {
  const names = columns.map(column => `"${column.name}"`).join(', ');
  const insert = connection.prepare(`insert into "${name}" (${names}) values (${columns.map(() => '?').join(', ')})`);
  for (const line of lines.toString().split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line) as Record<string, string | number | null>;
    insert.run(columns.map(column => toValue(row[column.name] ?? null, column.type)));
  }
}

const toValue = (value: string | number | null, type: TableLayout['columns'][number]['type']): string | number | Uint8Array | null =>
  type === 'bytes' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
