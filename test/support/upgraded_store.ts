/** Tests of migrations: a database of an earlier version is filled, then a store of this version opens it. */
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { Client } from 'pg';
import { createPostgresDialect } from '../../src/adapter/postgres/postgres_dialect';
import { openPostgresStore } from '../../src/adapter/postgres/postgres_store';
import { SqliteConnection } from '../../src/adapter/sqlite/sqlite_connection';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import type { Store } from '../../src/port/store/store';
import { migrateBefore } from './old_schema';
import { describeWithPostgres, startPostgres } from './postgres_server';
import { STORE_PARTS } from './store_parts';
import { withDirectory } from './temporary_store';

export interface Upgrade {
  /** The number of the migration: the old database has those before it. */
  migration: string;
  fill: (db: Kysely<unknown>) => Promise<void>;
  check: (store: Store) => Promise<void>;
}

/** Adds the test `title` for SQLite and for Postgres. */
export function testUpgrade(title: string, { migration, fill, check }: Upgrade): void {
  const fillOld = async (db: Kysely<unknown>) => {
    await migrateBefore(db, migration);
    await fill(db);
  };
  const checkStore = async (store: Store) => {
    try {
      await check(store);
    } finally {
      await store.close();
    }
  };

  it(`SQLite: ${title}`, () =>
    withDirectory(async directory => {
      const path = join(directory, 'neta.db');
      const connection = SqliteConnection.open(path, { busyTimeoutMs: 1_000 });
      await fillOld(new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) }));
      connection.close();
      await checkStore(await openSqliteStore({ path, parts: STORE_PARTS }));
    }));

  describeWithPostgres('Postgres', () => {
    it(title, async () => {
      const server = await startPostgres();
      try {
        const url = await server.createDatabase();
        const client = new Client(url);
        await client.connect();
        await fillOld(new Kysely<unknown>({ dialect: createPostgresDialect(client) }));
        await client.end();
        await checkStore(await openPostgresStore({ url, parts: STORE_PARTS }));
      } finally {
        await server.stop();
      }
    }, 60_000);
  });
}
