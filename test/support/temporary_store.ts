/** Opens a SQLite store in a temporary directory that `release` deletes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/adapter/sqlite/sqlite_store';
import type { Store } from '../../src/port/store/store';

export interface TemporaryStore {
  store: Store;
  /** Path of the database file. */
  path: string;
  /** Opens another store on the same file; `release` closes it too. */
  openAnother(): Promise<Store>;
  release(): Promise<void>;
}

export async function openTemporaryStore(options: Omit<SqliteStoreOptions, 'path'> = {}): Promise<TemporaryStore> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-store-'));
  const path = join(directory, 'neta.db');
  const stores: Store[] = [];
  const openAnother = async () => {
    const store = await openSqliteStore({ ...options, path });
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
export async function withDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-store-'));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
