/** Opens a SQLite store in a temporary directory that `release` deletes. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/adapter/sqlite/sqlite_store';
import type { Store } from '../../src/port/store/store';
import { STORE_PARTS } from './store_parts';

export interface TemporaryStore {
  store: Store;
  /** Path of the database file. */
  path: string;
  /** Opens another store on the same file; `release` closes it too. */
  openAnother(): Promise<Store>;
  release(): Promise<void>;
}

let emptyDatabase: Promise<Buffer> | undefined;

/** Resolves with the file of an empty database, which this process migrates once. */
function migrateEmptyDatabase(): Promise<Buffer> {
  return withDirectory(async directory => {
    const path = join(directory, 'neta.db');
    const store = await openSqliteStore({ parts: STORE_PARTS, path });
    await store.close();
    return readFile(path);
  });
}

export async function openTemporaryStore(options: Omit<SqliteStoreOptions, 'path' | 'parts'> = {}): Promise<TemporaryStore> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-store-'));
  const path = join(directory, 'neta.db');
  emptyDatabase ??= migrateEmptyDatabase();
  await writeFile(path, await emptyDatabase, { mode: 0o600 });
  const stores: Store[] = [];
  const openAnother = async () => {
    const store = await openSqliteStore({ parts: STORE_PARTS, ...options, path });
    stores.push(store);
    return store;
  };
  const store = await openAnother();
  const release = async () => {
    for (const opened of stores) await opened.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { store, path, openAnother, release };
}

/** Runs `use` with an empty directory and deletes it afterwards. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-store-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
