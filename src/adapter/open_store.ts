/** Opens the store: a SQLite file, or Postgres when there is an address of one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../port/store/store';
import { readDatabaseAddress } from './postgres/database_address';
import { openPostgresStore, type PostgresStoreOptions } from './postgres/postgres_store';
import type { StoreParts } from './sql/store_part';
import { openSqliteStore } from './sqlite/sqlite_store';

export interface StorePlace {
  /** Created when it is missing. */
  dataDir: string;
  /** postgres://user:password@host:port/database */
  databaseUrl?: string;
  /** The address of a replica of that database. */
  databaseReadUrl?: string;
}

/** Opens the store with what features add to it. `log` is told when a replica cannot be read. Rejects with StoreOpenError. */
export async function openStore(
  { databaseUrl, databaseReadUrl, dataDir }: StorePlace,
  parts: StoreParts,
  log?: PostgresStoreOptions['log'],
): Promise<Store> {
  if (databaseUrl === undefined) return openSqliteStore({ path: join(dataDir, 'neta.db'), parts });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return openPostgresStore({ url: databaseUrl, readUrl: databaseReadUrl, parts, log });
}

/** Returns the texts that logs must not show: the password, as it stands in the address and decoded. */
export function passwordsOf(databaseUrl: string | undefined): string[] {
  if (databaseUrl === undefined) return [];
  // Several hosts are no URL.
  return passwordsIn(readDatabaseAddress(databaseUrl, 'DATABASE_URL', 'any').url);
}

/** As `passwordsOf`, for any URL. */
export function passwordsIn(url: string): string[] {
  const { password, searchParams } = new URL(url);
  return [password, decode(password), searchParams.get('password') ?? ''].filter(text => text !== '');
}

/** A password may hold a percent sign that encodes nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
