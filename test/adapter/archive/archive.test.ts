/** Archives: a row in every table goes from store to store, and nothing damaged or half done is ever used. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { ownEntry } from '../../../src/adapter/archive/archive_entry';
import { SETTINGS_PATH, type TableLayout } from '../../../src/adapter/archive/archive_form';
import { exportRows, type GatewayPlace, headerOf, makeBackup } from '../../../src/adapter/archive/make_archive';
import { moveStore, restoreArchive } from '../../../src/adapter/archive/restore_archive';
import { openSqliteSnapshot } from '../../../src/adapter/archive/sqlite_snapshot';
import type { StoreAddress } from '../../../src/adapter/archive/store_address';
import { writeArchive } from '../../../src/adapter/archive/write_archive';
import type { Schema } from '../../../src/adapter/sql/base/schema';
import { migrateTo, migrationNames } from '../../../src/adapter/sql/migrations/migrate';
import { openSqliteStore } from '../../../src/adapter/sqlite/sqlite_store';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../../support/postgres_server';
import { STORE_PARTS } from '../../support/store_parts';
import { openTemporaryStore, withDirectory } from '../../support/temporary_store';

const identity = { self: 'test', isGone: () => false };
const deps = { parts: STORE_PARTS, check: async () => undefined, identity };
const version = '0.0.0';

/** A reference to a row of these tables has a name of its own. */
const REFERENCES: Readonly<Record<string, string>> = {
  sessions: 'session_id',
  runs: 'run_id',
  jobs: 'job_id',
  push_subscriptions: 'subscription_id',
  webhooks: 'webhook_id',
  hooks: 'hook_id',
};

const HARD_TEXT = 'line\n"quoted"\\ 漢字 🙂 \\u0000 end';

/** Returns a row whose references lead to the rows that this function makes for other tables. */
function rowFor({ name: table, columns }: TableLayout): Record<string, SQLInputValue> {
  const values = columns.map(({ name, type }): [string, SQLInputValue] => {
    if (name === 'id' && type === 'text') return [name, `${REFERENCES[table] ?? 'id'}-1`];
    if (name === 'access_id') return [name, 'session_id-1'];
    if (type === 'bytes') return [name, Buffer.from(Array.from({ length: 256 }, (_, i) => i))];
    if (type === 'number') return [name, 1.5];
    if (type === 'integer') return [name, name.endsWith('_at') ? 1_764_000_000_123 : 1];
    return [name, name.endsWith('_id') || name === 'key' ? `${name}-1` : `${HARD_TEXT} ${name}`];
  });
  return { ...Object.fromEntries(values), tenant_id: 'acme' };
}

/** Fills a database with a row for every table that archives hold. */
function fill(path: string): readonly TableLayout[] {
  const snapshot = openSqliteSnapshot(path);
  const { tables } = snapshot;
  void snapshot.close();
  const database = new DatabaseSync(path);
  for (const table of tables) {
    const row = rowFor(table);
    const names = table.columns.map(({ name }) => name);
    const insert = `insert into "${table.name}" (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    database.prepare(insert).run(...names.map(name => row[name] ?? null));
  }
  database.exec("insert into settings (key, value) values ('node_channel', 'secret of one database')");
  // Postgres cannot store this character.
  database.exec("update sessions set title = 'a' || char(0) || 'b'");
  database.close();
  return tables;
}

async function placeIn(directory: string, databaseUrl?: string): Promise<GatewayPlace> {
  const place = {
    dataDir: join(directory, 'data'),
    configDir: join(directory, 'config'),
    workspace: join(directory, 'workspace'),
    databaseUrl,
  };
  for (const path of [place.dataDir, place.configDir, place.workspace]) await mkdir(path, { recursive: true });
  return place;
}

/** A gateway with a row in every table, and with files. */
async function filledPlace(directory: string): Promise<GatewayPlace> {
  const place = await placeIn(directory);
  const path = join(place.dataDir, 'neta.db');
  await (await openSqliteStore({ path, parts: STORE_PARTS })).close();
  fill(path);
  await mkdir(join(place.workspace, 'deep/empty'), { recursive: true });
  await writeFile(join(place.workspace, 'deep/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  await chmod(join(place.workspace, 'deep/empty'), 0o750);
  await chmod(join(place.workspace, 'deep'), 0o700);
  await symlink('deep/run.sh', join(place.workspace, 'link'));
  await writeFile(join(place.configDir, 'approvals.yaml'), 'rules: []\n');
  await writeFile(join(place.dataDir, 'secrets.yaml'), 'OPENAI_API_KEY: sk-of-the-model\n');
  return place;
}

const backUp = (place: GatewayPlace, directory: string) => makeBackup({ place, directory, version, settings: [], now: new Date(0) });
const sqlite = (path: string): StoreAddress => ({ kind: 'sqlite', path });

describeWithPostgres('rows between stores', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('a row of every table goes to Postgres and back, and the export is the same byte for byte', () =>
    withDirectory(async directory => {
      const place = await filledPlace(directory);
      const url = await server.createDatabase();
      const back = { ...(await placeIn(join(directory, 'back'))) };
      const rows = await moveStore(sqlite(join(place.dataDir, 'neta.db')), { kind: 'postgres', url }, { ...deps, version });
      expect(Object.values(rows).every(count => count === 1)).toBe(true);
      expect(Object.keys(rows).length).toBeGreaterThan(35);
      await moveStore({ kind: 'postgres', url }, sqlite(join(back.dataDir, 'neta.db')), { ...deps, version });
      const files = ['first', 'postgres', 'back'].map(name => join(directory, `${name}.tar`));
      await exportRows(place, files[0] ?? '', version);
      await exportRows({ ...place, databaseUrl: url }, files[1] ?? '', version);
      await exportRows(back, files[2] ?? '', version);
      const [first, ...others] = await Promise.all(files.map(file => readFile(file)));
      for (const other of others) expect(first?.equals(other)).toBe(true);
      expect(first?.includes('secret of one database')).toBe(false);
      // The next memory gets a number behind those of the archive.
      const [next] = await query(
        url,
        `insert into memories (tenant_id, id, text, fingerprint, kind, source, created_at, updated_at)
        values ('acme', 'next', 'x', 'x', 'fact', '{}', 1, 1) returning search_id`,
      );
      expect(Number(next?.['search_id'])).toBe(2);
    }));

  it('a backup of SQLite restores into a Postgres on which a gateway has started, and refuses one with rows', () =>
    withDirectory(async directory => {
      const { file } = await backUp(await filledPlace(directory), join(directory, 'archives'));
      const url = await server.createDatabase();
      const target = await placeIn(join(directory, 'target'), url);
      expect(await restoreArchive(file, target, deps)).toMatchObject({ files: 4 });
      expect(await query(url, 'select count(*)::int as count from runs')).toEqual([{ count: 1 }]);
      await expect(restoreArchive(file, { ...target, ...(await placeIn(join(directory, 'other'), url)) }, deps)).rejects.toThrow(
        /not empty: it has rows in/,
      );
    }));
});

describe('backups', () => {
  it('holds rows and files without the keys of models, and restores them with their modes and links', () =>
    withDirectory(async directory => {
      const place = await filledPlace(directory);
      const made = await backUp(place, join(directory, 'archives'));
      expect(made).toMatchObject({ files: 4, incomplete: [] });
      // Another one in the same second.
      expect((await backUp(place, join(directory, 'archives'))).file).toBe(made.file.replace('.tar', '-2.tar'));
      expect((await stat(made.file)).mode & 0o777).toBe(0o600);
      const target = await placeIn(join(directory, 'target'));
      await writeFile(join(target.configDir, 'approvals.yaml'), 'rules: [mine]\n');
      expect(await restoreArchive(made.file, target, deps)).toMatchObject({
        rows: made.rows,
        kept: [join(target.configDir, 'approvals.yaml.before-restore')],
      });
      expect((await stat(join(target.workspace, 'deep/run.sh'))).mode & 0o777).toBe(0o755);
      expect(await readlink(join(target.workspace, 'link'))).toBe('deep/run.sh');
      expect(await readdir(join(target.workspace, 'deep/empty'))).toEqual([]);
      for (const name of ['deep', 'deep/empty'])
        expect((await stat(join(target.workspace, name))).mode).toBe((await stat(join(place.workspace, name))).mode);
      expect((await readdir(target.dataDir)).sort()).toEqual(['neta.db', 'restored-settings.json']);
      await expect(restoreArchive(made.file, target, deps)).rejects.toThrow('is not empty');
    }));

  it('names a file that it leaves out because its name is not UTF-8', () =>
    withDirectory(async directory => {
      const place = await filledPlace(directory);
      // Two Chinese characters in GBK.
      await writeFile(Buffer.concat([Buffer.from(`${place.workspace}/`), Buffer.from([0xd6, 0xd0, 0xce, 0xc4])]), 'text');
      const { files, incomplete } = await backUp(place, join(directory, 'archives'));
      expect({ files, incomplete }).toEqual({ files: 4, incomplete: [join(place.workspace, '\ufffd\ufffd\ufffd\ufffd')] });
    }));

  it('ends its transaction before it reads files', () =>
    withDirectory(async directory => {
      const { dataDir } = await filledPlace(directory);
      const path = join(dataDir, 'neta.db');
      const snapshot = openSqliteSnapshot(path);
      const writer = new DatabaseSync(path);
      let isOpen: unknown;
      async function* more() {
        writer.exec("insert into settings (key, value) values ('later', '1')");
        // A reader keeps the log from being emptied.
        isOpen = writer.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'];
        yield ownEntry(SETTINGS_PATH, Buffer.from('{}'));
      }
      await writeArchive(join(directory, 'archive.tar'), { header: headerOf(snapshot, version), snapshot, more: more() });
      expect(isOpen).toBe(0);
      await snapshot.close();
      writer.close();
    }));

  it('refuses a damaged or truncated archive before it writes anything', () =>
    withDirectory(async directory => {
      const { file, bytes } = await backUp(await filledPlace(directory), join(directory, 'archives'));
      const target = await placeIn(join(directory, 'target'));
      const plain = join(directory, 'plain.tar');
      await exportRows(await filledPlace(join(directory, 'second')), plain, version);
      const content = await readFile(plain);
      const refused = async (name: string, change: (path: string) => Promise<void>, original = file) => {
        const path = join(directory, name);
        await writeFile(path, await readFile(original));
        await change(path);
        await expect(restoreArchive(path, target, deps)).rejects.toThrow(/damaged|incomplete|no archive/);
        expect(await readdir(target.dataDir)).toEqual([]);
        expect(await readdir(target.workspace)).toEqual([]);
      };
      await refused('cut.tar.zst', path => truncate(path, bytes - 100));
      await refused('bit.tar.zst', async path => {
        const damaged = await readFile(path);
        damaged[bytes >> 1] = (damaged[bytes >> 1] ?? 0) ^ 1;
        await writeFile(path, damaged);
      });
      // A changed text, with headers and sizes as they were.
      const changed = Buffer.from(content.toString('latin1').replace('"acme"', '"acne"'), 'latin1');
      await refused('text.tar', path => writeFile(path, changed), plain);
      await refused('no_manifest.tar', path => writeFile(path, content.subarray(0, content.lastIndexOf('manifest.json'))), plain);
      await refused('no_tar', path => writeFile(path, randomBytes(2_000)), plain);
    }));

  it('restores an archive of an older schema, and migrates its rows', () =>
    withDirectory(async directory => {
      const place = await placeIn(directory);
      const path = join(place.dataDir, 'neta.db');
      const database = new DatabaseSync(path);
      const connection = { close: () => database.close(), prepare: statementsOf(database) };
      const names = migrationNames(STORE_PARTS).filter(name => /^0/.test(name) && name < '055');
      await migrateTo(new Kysely<Schema>({ dialect: new SqliteDialect({ database: connection }) }), STORE_PARTS, names);
      database.close();
      fill(path);
      const { file } = await backUp(place, join(directory, 'archives'));
      const target = await placeIn(join(directory, 'target'));
      await restoreArchive(file, target, deps);
      const store = await openSqliteStore({ path: join(target.dataDir, 'neta.db'), parts: STORE_PARTS });
      await store.close();
      const restored = new DatabaseSync(join(target.dataDir, 'neta.db'));
      // The migration 055 has read the last message of the chat.
      expect(restored.prepare('select last_ordinal from shares').all()).toEqual([{ last_ordinal: 1 }]);
      restored.close();
    }));

  it('a restore that fails leaves the place of the store empty, and continues when it is called again', () =>
    withDirectory(async directory => {
      const { file } = await backUp(await filledPlace(directory), join(directory, 'archives'));
      const target = await placeIn(join(directory, 'target'));
      const broken = { ...deps, check: async () => 'The chain is broken.' };
      await expect(restoreArchive(file, target, broken)).rejects.toThrow('The chain is broken.');
      // Left by an interruption; nothing is written through it.
      await symlink(join(directory, 'elsewhere'), join(target.workspace, 'deep/run.sh.restoring'));
      expect(await readdir(target.dataDir)).not.toContain('neta.db');
      await restoreArchive(file, target, deps);
      expect((await readdir(target.dataDir)).sort()).toEqual(['neta.db', 'restored-settings.json']);
      expect(await readdir(directory)).not.toContain('elsewhere');
      expect((await stat(join(target.workspace, 'deep/run.sh'))).mode & 0o777).toBe(0o755);
    }));

  it('refuses a store on which a gateway runs', async () => {
    const { store, path, release } = await openTemporaryStore();
    try {
      await store.transaction('none', tx => tx.nodeLeases.renew('other', { now: Date.now(), lengthMs: 60_000 }));
      await store.close();
      await expect(moveStore(sqlite(path), sqlite(`${path}.moved`), { ...deps, version })).rejects.toThrow('A gateway runs on');
    } finally {
      await release();
    }
  });

  it('refuses the database of a gateway whose lease has expired because it has nothing to do', () =>
    withDirectory(async directory => {
      const { file } = await backUp(await filledPlace(directory), join(directory, 'archives'));
      const target = await placeIn(join(directory, 'target'));
      const path = join(target.dataDir, 'neta.db');
      const idle = await openSqliteStore({ path, parts: STORE_PARTS });
      try {
        await idle.transaction('none', tx => tx.nodeLeases.renew('other', { now: Date.now() - 20_000, lengthMs: 15_000 }));
        await expect(restoreArchive(file, target, deps)).rejects.toThrow('A gateway runs on');
        await expect(moveStore(sqlite(path), sqlite(`${path}.moved`), { ...deps, version })).rejects.toThrow('A gateway runs on');
      } finally {
        await idle.close();
      }
      await restoreArchive(file, target, deps);
    }));

  it('refuses to replace the database of a gateway that starts during the restore', () =>
    withDirectory(async directory => {
      const { file } = await backUp(await filledPlace(directory), join(directory, 'archives'));
      const target = await placeIn(join(directory, 'target'));
      const path = join(target.dataDir, 'neta.db');
      const started: { close(): Promise<void> }[] = [];
      const check = async () => {
        started.push(await openSqliteStore({ path, parts: STORE_PARTS }));
        return undefined;
      };
      try {
        await expect(restoreArchive(file, target, { ...deps, check })).rejects.toThrow('A gateway runs on');
      } finally {
        for (const store of started) await store.close();
      }
    }));
});

/** The statements of a database in the form that Kysely expects. */
const statementsOf = (database: DatabaseSync) => (text: string) => {
  const statement = database.prepare(text);
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
    run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
    iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
  };
};
