/** The store over Postgres, which any number of gateways share: a few connections that write, and a few that read. */
import { Kysely } from 'kysely';
import type { Client } from 'pg';
import { AppError } from '../../errors';
import type { Lock } from '../../port/store/lock';
import type { Store, StoreReader, StoreTransaction } from '../../port/store/store';
import { StoreOpenError } from '../../port/store/store_errors';
import type { CommitReport } from '../sql/base/group_commit';
import type { Schema } from '../sql/base/schema';
import { migrateToLatest } from '../sql/migrations/migrate';
import { type BindOwners, createOwners } from '../sql/owners';
import type { StoreParts } from '../sql/store_part';
import { LockQueue } from './lock_queue';
import { assertDatabaseUrl, assertReplicaUrl, migrationConfig, publicAddress } from './postgres_address';
import { createPostgresDialect } from './postgres_dialect';
import { describePostgresError } from './postgres_errors';
import { PostgresReader } from './postgres_reader';
import { checkServer } from './postgres_server_check';
import { checkSession } from './postgres_session_check';
import { PostgresTransaction } from './postgres_transaction';
import { PostgresWriter } from './postgres_writer';
import { ReplicaReader } from './replica_reader';
import { ServerClient } from './server_client';
import { lockNames, MIGRATION_LOCK } from './transaction_locks';

export interface PostgresStoreOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  /** The address of a replica, which answers lists. */
  readUrl?: string;
  log?: { warn(message: string): void };
  /** The owners and migrations of features. */
  parts: StoreParts;
  /** Milliseconds after which a transaction that awaits something other than the store is rolled back. Default 20,000. */
  workTimeoutMs?: number;
  /** Called after each commit, for metrics and tests. Must not throw. */
  onCommit?: (report: CommitReport) => void;
}

/** Long for a work of thousands of statements. One that waits for something else is ended by the server much earlier. */
const WORK_MS = 20_000;

/** Connects and migrates the database to the newest schema. Rejects with StoreOpenError, one sentence for the operator. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, parts } = options;
  try {
    if (options.readUrl !== undefined) assertReplicaUrl(options.readUrl);
    const database = await prepareDatabase(url, parts);
    const reader = new PostgresReader(url);
    const writer = new PostgresWriter(url, () => reader.leaveServer());
    return new PostgresStore(writer, reader, createOwners(database, parts), options);
  } catch (thrown) {
    if (thrown instanceof StoreOpenError) throw thrown;
    throw new StoreOpenError(`The database ${publicAddress(url)} cannot be opened: ${describePostgresError(thrown)}.`, { cause: thrown });
  }
}

/** Returns a database that only compiles queries; its connection has ended. */
async function prepareDatabase(url: string, parts: StoreParts): Promise<Kysely<Schema>> {
  assertDatabaseUrl(url);
  const client = new ServerClient(migrationConfig(url));
  const database = new Kysely<Schema>({ dialect: createPostgresDialect(client) });
  try {
    await client.connect();
    await checkServer(client);
    await checkSession(client, url);
    await migrate(client, database, parts);
  } finally {
    await client.end().catch(() => {});
  }
  return database;
}

/** Migrates under a lock, all or nothing: several gateways may start at once, and each may crash. */
async function migrate(client: Client, database: Kysely<Schema>, parts: StoreParts): Promise<void> {
  await client.query('begin');
  try {
    // Keeps writers of other gateways out: one of them could wait for a table that this one has locked, while this one waits for theirs.
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await migrateToLatest(database, parts);
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => {});
    throw thrown;
  }
}

class PostgresStore implements Store {
  readonly read: StoreReader;
  readonly lists: StoreReader;
  private readonly replica: ReplicaReader | undefined;
  private readonly queue = new LockQueue();
  private readonly open = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly writer: PostgresWriter,
    private readonly reader: PostgresReader,
    private readonly bind: BindOwners,
    private readonly options: PostgresStoreOptions,
  ) {
    this.read = bind(reader);
    const { readUrl, log } = options;
    this.replica = readUrl === undefined ? undefined : new ReplicaReader(readUrl, reader, sentence => log?.warn(sentence));
    this.lists = this.replica === undefined ? this.read : bind(this.replica);
  }

  async transaction<T>(lock: Lock, work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    if (this.closing) throw new AppError('store_unavailable', { message: 'The store is closed.', messageZh: '存储已关闭。' });
    const names = lockNames(lock);
    const done = this.queue.run(names, () => this.commit(names, work));
    this.open.add(done);
    try {
      return await done;
    } finally {
      this.open.delete(done);
    }
  }

  /** Runs the work in a transaction that holds the locks. */
  private async commit<T>(names: readonly string[], work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    const client = await this.writer.take();
    const transaction = new PostgresTransaction(this.writer, client, names);
    let isCommitted = false;
    try {
      const value = await inTime(work(this.bind(transaction)), this.options.workTimeoutMs ?? WORK_MS);
      await transaction.commit();
      isCommitted = true;
      return value;
    } finally {
      await transaction.end();
      this.options.onCommit?.({ works: 1, rejected: isCommitted ? 0 : 1, durationMs: performance.now() - begunAt });
    }
  }

  /** Deletes nothing, which a read-only database refuses all the same. */
  async check(): Promise<void> {
    await this.transaction('none', tx => tx.switches.delete('', ''));
  }

  /** The server overwrites earlier versions of rows by itself (vacuum). */
  async emptyLog(): Promise<boolean> {
    return true;
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await Promise.allSettled(this.open);
    await this.replica?.close();
    await this.reader.close();
    await this.writer.close();
  }
}

/** Rejects when the work takes longer: it waits for something other than the store. */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onLate = () =>
    reject(
      new AppError('internal', {
        message: 'A transaction waited for something other than the store.',
        messageZh: '事务等待了存储以外的操作。',
      }),
    );
  const timer = setTimeout(onLate, milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
