/** The embedded store: one SQLite file, one connection that writes, one that reads what is committed during a transaction. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Kysely, SqliteDialect } from 'kysely';
import type { Lock } from '../../port/store/lock';
import type { Store, StoreReader, StoreTransaction, TransactionOptions } from '../../port/store/store';
import { StoreOpenError } from '../../port/store/store_errors';
import { type CommitReport, GroupCommitter } from '../sql/base/group_commit';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { migrateToLatest } from '../sql/migrations/migrate';
import { type BindOwners, createOwners } from '../sql/owners';
import type { StoreParts } from '../sql/store_part';
import { prepareDatabaseFile } from './database_file';
import { SqliteConnection } from './sqlite_connection';
import { describeSqliteError } from './sqlite_errors';

export interface SqliteStoreOptions {
  /** Database file, created with its directory when it is missing. Only one gateway at a time should use the file. */
  path: string;
  /** The owners and migrations of features. */
  parts: StoreParts;
  log?: { warn(message: string): void };
  /** Milliseconds that a first transaction waits for others to share its commit. Default 0: until the next turn of the event loop. */
  commitWindowMs?: number;
  /** Milliseconds to wait for a lock of another process. Default 2,000. */
  busyTimeoutMs?: number;
  /** Milliseconds after which a transaction that awaits something other than the store is rolled back. Default 5,000. */
  workTimeoutMs?: number;
  /** Compiled entry module of the thread that empties a long log. Default: log_worker_entry beside this file. */
  logWorker?: string;
  /** Called after each commit, for metrics and tests. Must not throw. */
  onCommit?: (report: CommitReport) => void;
}

const USUAL_BUSY_MS = 2_000;
/** Lock timeout of the reading connection. It needs a lock only for a moment, after a crash of another process; waiting holds the event loop. */
const READER_BUSY_MS = 200;
/** A log that is shorter than this is moved on the main thread, within a few milliseconds. */
const LONG_LOG_BYTES = 4 * 1024 * 1024;
/** Lock timeout at the start. It is longer than later timeouts, because the process before may still be closing the file. */
const OPEN_TIMEOUT_MS = 5_000;

/** Opens the database and migrates it to the newest schema. Rejects with StoreOpenError, one sentence for the operator. */
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
    await migrate(writer, database, options.parts);
    writer.allowIndexRemoval();
    const reader = connect();
    reader.execute('pragma query_only = on');
    reader.setBusyTimeout(READER_BUSY_MS);
    writer.setLockTimeout(options.busyTimeoutMs ?? USUAL_BUSY_MS);
    return new SqliteStore(writer, reader, createOwners(database, options.parts), options);
  } catch (thrown) {
    for (const connection of connections) connection.close();
    if (thrown instanceof StoreOpenError) throw thrown;
    throw new StoreOpenError(`The database ${options.path} cannot be opened: ${describeSqliteError(thrown)}.`, { cause: thrown });
  }
}

/** Migrates under the write lock, all or nothing: two processes may start at once, and either may crash. */
async function migrate(writer: SqliteConnection, database: Kysely<Schema>, parts: StoreParts): Promise<void> {
  writer.execute('begin immediate');
  try {
    await migrateToLatest(database, parts);
    writer.execute('commit');
  } catch (thrown) {
    if (writer.isInTransaction) writer.execute('rollback');
    throw thrown;
  }
}

class SqliteStore implements Store {
  readonly read: StoreReader;
  readonly lists: StoreReader;
  private readonly committer: GroupCommitter;

  constructor(
    private readonly writer: SqliteConnection,
    private readonly reader: SqliteConnection,
    private readonly bind: BindOwners,
    private readonly options: SqliteStoreOptions,
  ) {
    // Outside a transaction the writer reads faster: its page cache stays warm, while each commit empties the cache of the reader.
    const rows: Runner['rows'] = async query => (writer.isInTransaction ? reader : writer).rows(query);
    const changes: Runner['changes'] = async query => reader.changes(query);
    this.read = bind({ rows, changes, write: async query => void (await changes(query)) });
    this.lists = this.read;
    this.committer = new GroupCommitter(writer, {
      windowMs: options.commitWindowMs ?? 0,
      workTimeoutMs: options.workTimeoutMs ?? 5_000,
      onCommit: options.onCommit,
    });
  }

  transaction<T>(_lock: Lock, work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.committer.submit(runner => work(this.bind(runner)), options);
  }

  /** Writes a page, which fails on a full or read-only disk. Sets `user_version`, which has no other use, to its present value. */
  async check(): Promise<void> {
    await this.committer.submit(async () => this.writer.execute('pragma user_version = 0'));
  }

  async emptyLog(): Promise<boolean> {
    // A worker thread moves a long write-ahead log into the file, so that the event loop is not blocked.
    if (logBytes(this.options.path) > LONG_LOG_BYTES) return emptyLongLog(this.options);
    // A checkpoint is refused inside a transaction, and there is a moment without one between two groups.
    while (this.writer.isInTransaction) await new Promise(resolve => setImmediate(resolve));
    this.writer.setBusyTimeout(0);
    try {
      const [result] = this.writer.prepare('pragma wal_checkpoint(truncate)').all([]) as { busy: number }[];
      return result?.busy === 0;
    } finally {
      this.writer.setLockTimeout(this.options.busyTimeoutMs ?? USUAL_BUSY_MS);
    }
  }

  async close(): Promise<void> {
    await this.committer.close();
    // Close the writer last: the last connection merges the log into the file.
    this.reader.close();
    this.writer.close();
  }
}

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Empties a long log in a thread. Resolves whether the log is empty. Rejects when the thread fails. */
function emptyLongLog({ path, logWorker = join(__dirname, 'log_worker_entry.js') }: SqliteStoreOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(logWorker, { workerData: path });
    thread.on('message', resolve);
    thread.on('error', reject);
    thread.on('exit', code => reject(new Error(`the thread that empties the log ended with ${code}`)));
  });
}
