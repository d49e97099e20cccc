/** The store over Postgres, which any number of gateways share: one connection that writes, and a few that read. */
import { Kysely } from 'kysely';
import { Client } from 'pg';
import type { Lock } from '../../port/store/lock';
import type { Store, StoreReader, StoreTransaction, TransactionOptions } from '../../port/store/store';
import { StoreOpenError } from '../../port/store/store_errors';
import { type CommitReport, GroupCommitter } from '../sql/base/group_commit';
import type { Schema } from '../sql/base/schema';
import { migrateToLatest } from '../sql/migrations/migrate';
import { type BindOwners, createOwners } from '../sql/owners';
import type { StoreParts } from '../sql/store_part';
import { assertSslMode, migrationConfig, publicAddress } from './postgres_address';
import { createPostgresDialect } from './postgres_dialect';
import { describePostgresError } from './postgres_errors';
import { PostgresReader } from './postgres_reader';
import { checkSession } from './postgres_session_check';
import { PostgresWriter, WRITE_LOCK } from './postgres_writer';

export interface PostgresStoreOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  /** The owners and migrations of features. */
  parts: StoreParts;
  /** Milliseconds after which a transaction that awaits something other than the store is rolled back. Default 20,000. */
  workTimeoutMs?: number;
  /** Called after each commit, for metrics and tests. Must not throw. */
  onCommit?: (report: CommitReport) => void;
}

/** pg_xact_status and pg_current_xact_id are older; earlier versions are no longer maintained. */
const OLDEST_VERSION = 140_000;
/** Long for a work of thousands of statements. One that waits for something else is ended by the server much earlier. */
const WORK_MS = 20_000;
/** Milliseconds of one group. Longer than for SQLite, because the works wait for the network and do not block the event loop. */
const GROUP_MS = 50;

/** Connects and migrates the database to the newest schema. Rejects with StoreOpenError, one sentence for the operator. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, parts } = options;
  try {
    const database = await prepareDatabase(url, parts);
    return new PostgresStore(new PostgresWriter(url), new PostgresReader(url), createOwners(database, parts), options);
  } catch (thrown) {
    if (thrown instanceof StoreOpenError) throw thrown;
    throw new StoreOpenError(`The database ${publicAddress(url)} cannot be opened: ${describePostgresError(thrown)}.`, { cause: thrown });
  }
}

/** Returns a database that only compiles queries; its connection has ended. */
async function prepareDatabase(url: string, parts: StoreParts): Promise<Kysely<Schema>> {
  assertSslMode(url);
  const client = new Client(migrationConfig(url));
  // The statement that fails reports the same error.
  client.on('error', () => {});
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

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0] ?? { version: '0', encoding: '' };
  if (Number(version) < OLDEST_VERSION) throw new StoreOpenError('The database server is older than Postgres 14: upgrade it.');
  if (encoding !== 'UTF8') throw new StoreOpenError(`The database has the encoding ${encoding}: create one with the encoding UTF8.`);
}

/** Migrates under a lock, all or nothing: several gateways may start at once, and each may crash. */
async function migrate(client: Client, database: Kysely<Schema>, parts: StoreParts): Promise<void> {
  await client.query('begin');
  try {
    // Keeps writers of other gateways out: one of them could wait for a table that this one has locked, while this one waits for theirs.
    await client.query(`select pg_advisory_xact_lock(${WRITE_LOCK})`);
    await migrateToLatest(database, parts);
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => {});
    throw thrown;
  }
}

class PostgresStore implements Store {
  readonly read: StoreReader;
  private readonly committer: GroupCommitter;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly writer: PostgresWriter,
    private readonly reader: PostgresReader,
    private readonly bind: BindOwners,
    options: PostgresStoreOptions,
  ) {
    this.read = bind(reader);
    this.committer = new GroupCommitter(writer, {
      windowMs: 0,
      groupMs: GROUP_MS,
      workTimeoutMs: options.workTimeoutMs ?? WORK_MS,
      onCommit: options.onCommit,
    });
  }

  transaction<T>(_lock: Lock, work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.committer.submit(runner => work(this.bind(runner)), options);
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
    await this.committer.close();
    await this.reader.close();
    await this.writer.close();
  }
}
