/** The embedded store: one SQLite file, one connection that writes, one that reads. */
import { Kysely, SqliteDialect } from 'kysely';
import type { Store, StoreReader, StoreTransaction } from '../../port/store/store';
import { StoreOpenError } from '../../port/store/store_errors';
import { migrateToLatest } from '../sql/migrate';
import type { Schema } from '../sql/schema';
import { createTables, SqlStoreReader, SqlStoreTransaction, type Tables } from '../sql/sql_store';
import { prepareDatabaseFile } from './database_file';
import { type CommitReport, GroupCommitter } from './group_commit';
import { SqliteConnection } from './sqlite_connection';
import { describeSqliteError } from './sqlite_errors';

export interface SqliteStoreOptions {
  /** A file, made with its directory when missing. One gateway at a time should use it. */
  path: string;
  log?: { warn(message: string): void };
  /** How long a first transaction waits for others to share its commit, in milliseconds. Default 0: until the next turn of the event loop. */
  commitWindowMs?: number;
  /** How long a lock of another process is waited for, in milliseconds; everything stands still meanwhile. Default 200. */
  busyTimeoutMs?: number;
  /** A transaction that awaits something else than the store is undone after this time. Default 5,000 ms. */
  workTimeoutMs?: number;
  /** Told after each commit, for metrics and tests. Must not throw. */
  onCommit?: (report: CommitReport) => void;
}

/** At start another process may still be closing the file. */
const OPEN_TIMEOUT_MS = 5_000;

/** Opens the database and brings it to the newest schema. Rejects with StoreOpenError, one sentence for the operator. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const connections: SqliteConnection[] = [];
  const connect = () => {
    const connection = SqliteConnection.open(options.path, { busyTimeoutMs: OPEN_TIMEOUT_MS });
    connections.push(connection);
    return connection;
  };
  try {
    prepareDatabaseFile(options.path, message => options.log?.warn(message));
    const writer = connect();
    const database = new Kysely<Schema>({ dialect: new SqliteDialect({ database: writer }) });
    await migrate(writer, database);
    const reader = connect();
    reader.execute('pragma query_only = on');
    for (const connection of connections) connection.setBusyTimeout(options.busyTimeoutMs ?? 200);
    return new SqliteStore(writer, reader, createTables(database), options);
  } catch (thrown) {
    for (const connection of connections) connection.close();
    if (thrown instanceof StoreOpenError) throw thrown;
    throw new StoreOpenError(`The database ${options.path} cannot be opened: ${describeSqliteError(thrown)}.`, { cause: thrown });
  }
}

/** Under the write lock and all or nothing: two processes may start at once, and either may die. */
async function migrate(writer: SqliteConnection, database: Kysely<Schema>): Promise<void> {
  writer.execute('begin immediate');
  try {
    await migrateToLatest(database);
    writer.execute('commit');
  } catch (thrown) {
    if (writer.isInTransaction) writer.execute('rollback');
    throw thrown;
  }
}

class SqliteStore implements Store {
  readonly read: StoreReader;
  private readonly committer: GroupCommitter;

  constructor(
    private readonly writer: SqliteConnection,
    private readonly reader: SqliteConnection,
    private readonly tables: Tables,
    options: SqliteStoreOptions,
  ) {
    this.read = new SqlStoreReader(tables, reader);
    this.committer = new GroupCommitter(writer, {
      windowMs: options.commitWindowMs ?? 0,
      workTimeoutMs: options.workTimeoutMs ?? 5_000,
      ...(options.onCommit && { onCommit: options.onCommit }),
    });
  }

  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    return this.committer.submit(runner => work(new SqlStoreTransaction(this.tables, runner)));
  }

  /** Writes a page for real, so that a full or read-only disk is noticed. The pragma sets a number nobody uses to what it was. */
  async check(): Promise<void> {
    await this.committer.submit(async () => this.writer.execute('pragma user_version = 0'));
  }

  async close(): Promise<void> {
    await this.committer.close();
    // The writer last: the last connection folds the log into the file.
    this.reader.close();
    this.writer.close();
  }
}
