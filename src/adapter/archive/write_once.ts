/** Writes to the store of a gateway from another process, which does not migrate it. */
import { Kysely, SqliteDialect } from 'kysely';
import type { StoreTransaction } from '../../port/store/store';
import { createPostgresDialect } from '../postgres/postgres_dialect';
import { toQueryConfig } from '../postgres/postgres_values';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { createOwners } from '../sql/owners';
import type { StoreParts } from '../sql/store_part';
import { SqliteConnection } from '../sqlite/sqlite_connection';
import { connectTo } from './postgres_snapshot';
import type { StoreAddress } from './store_address';

type Work = (tx: StoreTransaction) => Promise<void>;

/** Milliseconds that a write waits for the gateway. */
const WAIT_MS = 10_000;
/** The oldest migration of the tables that this file is used for. */
const NEEDED = 'backup_001_list_and_schedule';

/** Runs one short work in a transaction without a lock. Resolves false when the database is older than the list of backups. */
export const writeOnce = (address: StoreAddress, parts: StoreParts, work: Work): Promise<boolean> =>
  address.kind === 'sqlite' ? writeSqlite(address.path, parts, work) : writePostgres(address.url, parts, work);

async function writeSqlite(path: string, parts: StoreParts, work: Work): Promise<boolean> {
  const connection = SqliteConnection.open(path, { busyTimeoutMs: WAIT_MS });
  try {
    if (connection.prepare('select 1 from schema_migrations where name = ?').all([NEEDED]).length === 0) return false;
    const runner: Runner = {
      rows: async query => connection.rows(query),
      changes: async query => connection.changes(query),
      write: async query => void connection.changes(query),
    };
    connection.execute('begin immediate');
    await work(createOwners(new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) }), parts)(runner));
    connection.execute('commit');
    return true;
  } finally {
    if (connection.isInTransaction) connection.execute('rollback');
    connection.close();
  }
}

async function writePostgres(url: string, parts: StoreParts, work: Work): Promise<boolean> {
  const client = await connectTo(url);
  try {
    const { rows } = await client.query('select 1 from schema_migrations where name = $1', [NEEDED]);
    if (rows.length === 0) return false;
    const runner: Runner = {
      rows: async query => (await client.query(toQueryConfig(query))).rows,
      changes: async query => (await client.query(toQueryConfig(query))).rowCount ?? 0,
      write: async query => void (await client.query(toQueryConfig(query))),
    };
    await client.query('begin');
    await work(createOwners(new Kysely<Schema>({ dialect: createPostgresDialect(client) }), parts)(runner));
    await client.query('commit');
    return true;
  } finally {
    // An open transaction ends with its connection.
    await client.end();
  }
}
