/** Migration 036: messages that an older version has indexed stay indexed once, and those behind its mark are queued. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client } from 'pg';
import { createPostgresDialect } from '../../../../src/adapter/postgres/postgres_dialect';
import { openPostgresStore } from '../../../../src/adapter/postgres/postgres_store';
import { MIGRATIONS } from '../../../../src/adapter/sql/migrations/migrations';
import { SqliteConnection } from '../../../../src/adapter/sqlite/sqlite_connection';
import { openSqliteStore } from '../../../../src/adapter/sqlite/sqlite_store';
import type { Store } from '../../../../src/port/store/store';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../../../support/postgres_server';
import { STORE_PARTS } from '../../../support/store_parts';
import { aMessage, TENANT } from '../../../support/store_records';
import { withDirectory } from '../../../support/temporary_store';

const FIRST_ROW = 2 ** 52 + 2 ** 32;

async function migrateBefore(name: string, db: Kysely<unknown>): Promise<void> {
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([one]) => one < name));
  const names = { migrationTableName: 'schema_migrations', migrationLockTableName: 'schema_migrations_lock' };
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations }, ...names }).migrateToLatest();
  if (error) throw error;
}

/** Ten messages, six of them indexed: a tool result among them has no row in the index. */
const statements = (mark: string) => [
  `insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at)
    values ('${TENANT}', 'ses_1', 'Old', 'default', 'en', 'off', 1, 1)`,
  ...Array.from({ length: 10 }, (_, i) => {
    const message = JSON.stringify({ role: i === 3 ? 'tool' : 'user', content: `beans ${i}` });
    return `insert into messages (tenant_id, id, session_id, run_id, run_ordinal, position, message, created_at)
      values ('${TENANT}', 'msg_${i}', 'ses_1', 'run_1', 1, ${i}, '${message}', ${i})`;
  }),
  `insert into search_tenants (tenant_id, number, documents) values ('${TENANT}', 1, 5)`,
  ...[0, 1, 2, 4, 5].map(
    (message, i) => `insert into search_documents (id, tenant_id, session_id, message_id, created_at, length)
      values (${FIRST_ROW + i + 1}, '${TENANT}', 'ses_1', 'msg_${message}', ${message}, 2)`,
  ),
  mark,
];

async function queuedThenIndexed(store: Store): Promise<void> {
  const indexed = async () => (await store.read.search.find(TENANT, { query: 'beans', now: 0 }, { limit: 50 })).data.length;
  expect(await store.read.searchIndex.hasUnindexed(TENANT)).toBe(true);
  while (await store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext()));
  // The rows that this test gives the old index have no tokens.
  expect(await indexed()).toBe(4);
  await store.transaction('none', tx =>
    tx.messages.insert([aMessage({ id: 'msg_new', position: 99, message: { role: 'user', content: 'new beans' } })]),
  );
  while (await store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext()));
  expect(await indexed()).toBe(5);
  expect(await store.read.searchIndex.hasMore()).toBe(false);
}

describe('SQLite', () => {
  const upgrade = (mark: string, check: (store: Store, queued: string[], path: string) => Promise<void>) =>
    withDirectory(async directory => {
      const path = `${directory}/neta.db`;
      const connection = SqliteConnection.open(path, { busyTimeoutMs: 1_000 });
      await migrateBefore('036', new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) }));
      for (const statement of statements(mark)) connection.execute(statement);
      connection.close();
      const store = await openSqliteStore({ parts: STORE_PARTS, path });
      const database = new DatabaseSync(path);
      const queued = database.prepare('select message_id from search_queue order by message_id').all();
      database.close();
      await check(
        store,
        queued.map(row => String(row['message_id'])),
        path,
      );
      await store.close();
    });

  it('queues the messages behind the mark', () =>
    upgrade("update search_progress set last_rowid = 6, last_message_id = 'msg_5'", async (store, queued) => {
      expect(queued).toEqual(['msg_6', 'msg_7', 'msg_8', 'msg_9']);
      await queuedThenIndexed(store);
    }));

  it('queues all messages when their rows were moved, and indexes none twice', () =>
    upgrade("update search_progress set last_rowid = 6, last_message_id = 'msg_9'", async (store, queued) => {
      expect(queued).toHaveLength(10);
      await queuedThenIndexed(store);
    }));

  it('queues nothing of a database that is indexed', () =>
    upgrade("update search_progress set last_rowid = 10, last_message_id = 'msg_9'", async (store, queued) => {
      expect(queued).toEqual([]);
      expect(await store.read.searchIndex.hasMore()).toBe(false);
    }));
});

describeWithPostgres('Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop());

  it('queues the messages behind the mark', async () => {
    const url = await server.createDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    await migrateBefore('036', new Kysely<unknown>({ dialect: createPostgresDialect(client) }));
    for (const statement of statements('update search_progress set last_rowid = 6')) await client.query(statement);
    const store = await openPostgresStore({ parts: STORE_PARTS, url });
    const { rows } = await client.query<{ message_id: string }>('select message_id from search_queue order by message_id');
    expect(rows.map(row => row.message_id)).toEqual(['msg_6', 'msg_7', 'msg_8', 'msg_9']);
    await queuedThenIndexed(store);
    await store.close();
    await client.end();
  });
});
