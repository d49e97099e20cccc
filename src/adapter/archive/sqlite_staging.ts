/** Loads a SQLite database beside its place, and renames it. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { Kysely, SqliteDialect } from 'kysely';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { prepareDatabaseFile } from '../sqlite/database_file';
import { SqliteConnection } from '../sqlite/sqlite_connection';
import { isBusy } from '../sqlite/sqlite_errors';
import { ArchiveError, type TableLayout } from './archive_form';
import type { Staging } from './staged_store';
import { lockDatabase } from './unused_database';

const WAIT_MS = 5_000;

/** Returns the path of the file in which a load makes the database of a place. */
export const besideOf = (path: string): string => `${path}.restoring`;

/** `path`: the place of the database. */
export function openSqliteStaging(path: string): Staging {
  const beside = besideOf(path);
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
      removeDatabase(beside);
      connection = open(beside);
    },
    async takePlace() {
      connection.execute('pragma wal_checkpoint(truncate)');
      connection.close();
      // One synchronous step, so that a gateway hardly can start in between.
      const unlock = existsSync(path) ? lockDatabase(path) : () => {};
      unlock();
      removeLogs(path);
      renameSync(beside, path);
    },
    close: async () => connection.close(),
  };
}

function open(path: string): SqliteConnection {
  prepareDatabaseFile(path, () => {});
  const connection = SqliteConnection.open(path, { busyTimeoutMs: WAIT_MS });
  try {
    // The first transaction takes the lock, which lasts until the connection ends. The rows come from a database whose references held.
    connection.execute('pragma locking_mode = exclusive; pragma foreign_keys = off; begin immediate; commit');
    return connection;
  } catch (thrown) {
    connection.close();
    if (!isBusy(thrown)) throw thrown;
    throw new ArchiveError(`Another command restores or moves data into ${path}: wait for its end.`, { cause: thrown });
  }
}

function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  removeLogs(path);
}

function removeLogs(path: string): void {
  for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
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
