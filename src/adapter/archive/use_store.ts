/** Reads and writes the store of a gateway from another process, which does not migrate it. */
import { existsSync } from 'node:fs';
import { Kysely, SqliteDialect } from 'kysely';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import { createPostgresDialect } from '../postgres/postgres_dialect';
import { toQueryConfig } from '../postgres/postgres_values';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { appliedMigrations } from '../sql/migrations/migrate';
import { createOwners } from '../sql/owners';
import type { StoreParts } from '../sql/store_part';
import { SqliteConnection } from '../sqlite/sqlite_connection';
import { connectTo } from './postgres_snapshot';
import type { StoreAddress } from './store_address';

export interface StoreUse {
  address: StoreAddress;
  parts: StoreParts;
  /** The migrations that made the tables of the work. */
  needed: readonly string[];
}

/** Milliseconds to wait for a write of the gateway. */
const WAIT_MS = 10_000;

/** Runs one short work in a transaction without a lock. Resolves false when the database lacks a needed migration. */
export async function writeOnce(use: StoreUse, work: (tx: StoreTransaction) => Promise<void>): Promise<boolean> {
  const store = await openToUse(use.address, 'write');
  if (!store) return false;
  try {
    if (!(await hasMigrations(store, use))) return false;
    await store.execute(use.address.kind === 'sqlite' ? 'begin immediate' : 'begin');
    await work(createOwners(store.db, use.parts)(store.runner));
    await store.execute('commit');
    return true;
  } finally {
    // An open transaction ends with its connection.
    await store.close();
  }
}

/** Reads from the store. Resolves undefined when there is no database, or when it lacks a needed migration. */
export async function readOnce<T>(use: StoreUse, read: (store: StoreReader) => Promise<T>): Promise<T | undefined> {
  const store = await openToUse(use.address, 'read');
  try {
    return store && (await hasMigrations(store, use)) ? await read(createOwners(store.db, use.parts)(store.runner)) : undefined;
  } finally {
    await store?.close();
  }
}

export interface OpenStore {
  db: Kysely<Schema>;
  runner: Runner;
  execute(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** Resolves undefined when there is no database file. */
export async function openToUse(address: StoreAddress, mode: 'read' | 'write'): Promise<OpenStore | undefined> {
  if (address.kind === 'postgres') return openPostgres(address.url);
  return existsSync(address.path) ? openSqlite(address.path, mode) : undefined;
}

async function hasMigrations({ db }: OpenStore, { needed }: StoreUse): Promise<boolean> {
  const applied = new Set(await appliedMigrations(db));
  return needed.every(name => applied.has(name));
}

function openSqlite(path: string, mode: 'read' | 'write'): OpenStore {
  const options = { busyTimeoutMs: WAIT_MS };
  const connection = mode === 'read' ? SqliteConnection.openToRead(path, options) : SqliteConnection.open(path, options);
  return {
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) }),
    runner: {
      rows: async query => connection.rows(query),
      changes: async query => connection.changes(query),
      write: async query => void connection.changes(query),
    },
    execute: async statement => connection.execute(statement),
    close: async () => connection.close(),
  };
}

async function openPostgres(url: string): Promise<OpenStore> {
  const client = await connectTo(url);
  return {
    db: new Kysely<Schema>({ dialect: createPostgresDialect(client) }),
    runner: {
      rows: async query => (await client.query(toQueryConfig(query))).rows,
      changes: async query => (await client.query(toQueryConfig(query))).rowCount ?? 0,
      write: async query => void (await client.query(toQueryConfig(query))),
    },
    execute: async statement => void (await client.query(statement)),
    close: () => client.end(),
  };
}
