/** Migration 027: an index of an older version is renewed in the background, also when the process ends in the middle. */

import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from '../../../../src/adapter/sql/migrations/migrations';
import { SqliteConnection } from '../../../../src/adapter/sqlite/sqlite_connection';
import { openSqliteStore } from '../../../../src/adapter/sqlite/sqlite_store';
import type { Store } from '../../../../src/port/store/store';
import { TENANT_VIEWER } from '../../../../src/service/access/owned_things';
import { STORE_PARTS } from '../../../support/store_parts';
import { TENANT } from '../../../support/store_records';
import { withDirectory } from '../../../support/temporary_store';

const MESSAGES = 90;
const MEMORIES = 50;

/** Makes a database as the version before wrote it, with both indexes filled. */
async function createOldDatabase(path: string): Promise<void> {
  const connection = SqliteConnection.open(path, { busyTimeoutMs: 1_000 });
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) });
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '027'));
  const names = { migrationTableName: 'schema_migrations', migrationLockTableName: 'schema_migrations_lock' };
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations }, ...names }).migrateToLatest();
  if (error) throw error;
  const run = (statement: string, ...values: unknown[]) => connection.prepare(statement).run(values);
  connection.execute('begin');
  run(
    `insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at)
      values (?, 'ses_1', 'Old', 'default', 'en', 'off', 1, 1)`,
    TENANT,
  );
  for (let i = 0; i < MESSAGES; i += 1) {
    const message = JSON.stringify({ role: 'user', content: `beans ${i}` });
    run(
      `insert into messages (tenant_id, id, session_id, run_id, run_ordinal, position, message, created_at)
        values (?, ?, 'ses_1', 'run_1', 1, ?, ?, ?)`,
      ...[TENANT, `msg_${100 + i}`, i, message, i],
    );
    run(
      "insert into search_documents (id, tenant_id, session_id, message_id, created_at) values (?, ?, 'ses_1', ?, ?)",
      ...[1_000 + i, TENANT, `msg_${100 + i}`, i],
    );
    run("insert into search_index (rowid, scope, tokens) values (?, 'ruser', ?)", 1_000 + i, `bean filler${'x'.repeat(200)}${i}`);
  }
  for (let i = 1; i <= MEMORIES; i += 1) {
    run(
      `insert into memories (search_id, tenant_id, id, text, fingerprint, kind, source, created_at, updated_at)
        values (?, ?, ?, ?, ?, 'fact', '{"by":"person"}', 1, 1)`,
      ...[i, TENANT, `mem_${i}`, `Likes tea number${i}`, `f${i}`],
    );
    run(
      'insert into memory_search (rowid, tenant, tokens) values (?, ?, ?)',
      i,
      Buffer.from(TENANT).toString('hex'),
      `like tea number${i}`,
    );
  }
  run('update search_progress set last_rowid = ?, last_message_id = ?', MESSAGES, `msg_${100 + MESSAGES - 1}`);
  connection.execute('commit');
  connection.close();
}

const memories = async (store: Store) => (await store.read.memories.rank(TENANT, { query: 'tea', viewer: TENANT_VIEWER }, 100)).length;
const messages = async (store: Store) => (await store.read.search.find(TENANT, { query: 'beans', now: 0 }, { limit: 200 })).data;
const oldTables = (path: string) => {
  const database = new DatabaseSync(path);
  const rows = database.prepare("select name from sqlite_master where name like 'old_%'").all();
  database.close();
  return rows.map(({ name }) => name);
};

it('renews both indexes in parts, goes on after each crash, and removes the old ones', () =>
  withDirectory(async directory => {
    const path = `${directory}/neta.db`;
    await createOldDatabase(path);
    const seen: [memories: number, messages: number][] = [];
    let isMore = true;
    for (let starts = 0; isMore && starts < 50; starts += 1) {
      const store = await openSqliteStore({ parts: STORE_PARTS, path });
      expect(await store.read.searchIndex.hasMore()).toBe(true);
      seen.push([await memories(store), (await messages(store)).length]);
      // A part that is rolled back, as after a crash.
      await store.transaction('none', tx => tx.searchIndex.indexNext().then(() => Promise.reject(new Error('crash')))).catch(() => {});
      for (let part = 0; isMore && part < 2; part += 1) isMore = await store.transaction('none', tx => tx.searchIndex.indexNext());
      await store.close();
    }
    expect(seen[0]).toEqual([0, 0]);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted(([a, b], [c, d]) => a - c || b - d));
    const store = await openSqliteStore({ parts: STORE_PARTS, path });
    expect([await memories(store), await store.read.searchIndex.hasMore()]).toEqual([MEMORIES, false]);
    const hits = await messages(store);
    expect(new Set(hits.map(hit => hit.text)).size).toBe(MESSAGES);
    expect(hits).toHaveLength(MESSAGES);
    expect(oldTables(path)).toEqual([]);
    expect(await store.transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'))).toBe(true);
    expect(await messages(store)).toEqual([]);
    await store.close();
  }));

it('finds what is saved, changed and deleted while the indexes are renewed, once', () =>
  withDirectory(async directory => {
    const path = `${directory}/neta.db`;
    await createOldDatabase(path);
    const store = await openSqliteStore({ parts: STORE_PARTS, path });
    await store.transaction('none', async tx => {
      await tx.memories.update(TENANT, 'mem_1', { text: 'Likes coffee' });
      await tx.memories.update(TENANT, 'mem_49', { text: 'Likes cocoa' });
      await tx.memories.delete(TENANT, 'mem_2');
    });
    // The messages of a search come before those of the background.
    while (await store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNextOf(TENANT)));
    expect(await messages(store)).toHaveLength(MESSAGES);
    while (await store.transaction('none', tx => tx.searchIndex.indexNext()));
    expect(await messages(store)).toHaveLength(MESSAGES);
    expect(await memories(store)).toBe(MEMORIES - 3);
    expect(
      (await store.read.memories.rank(TENANT, { query: 'coffee cocoa', viewer: TENANT_VIEWER }, 10)).map(({ id }) => id).sort(),
    ).toEqual(['mem_1', 'mem_49']);
    await store.close();
  }));

it('has nothing to renew in a new database', () =>
  withDirectory(async directory => {
    const path = `${directory}/neta.db`;
    const store = await openSqliteStore({ parts: STORE_PARTS, path });
    expect(await store.read.searchIndex.hasMore()).toBe(false);
    expect(oldTables(path)).toEqual([]);
    await store.close();
  }));
