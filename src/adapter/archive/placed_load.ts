/** The note of a load: the table that names its source and its parts. It goes to the place with the store, so that a command that was killed there knows its work. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../sql/base/schema';
import type { StoreAddress } from './store_address';
import { openToUse } from './use_store';

/** Path of a part -> hash of its content. */
const PROGRESS = 'restore_progress';
/** The row that names the source and its content. */
export const SOURCE = '';
/** The row of a load whose rows are complete and migrated. */
export const COMPLETE = 'complete';

/** Resolves with the source of the load whose command was killed after its store had taken its place; undefined when there is none. */
export async function readPlacedLoad(address: StoreAddress): Promise<string | undefined> {
  const store = await openToUse(address, 'read');
  try {
    return store && (await readProgress(store.db)).get(SOURCE);
  } finally {
    await store?.close();
  }
}

/** Deletes the note from the store in its place. Call it last of all. */
export async function forgetPlacedLoad(address: StoreAddress): Promise<void> {
  const store = await openToUse(address, 'write');
  try {
    if (store) await sql`drop table if exists ${sql.table(PROGRESS)}`.execute(store.db);
  } finally {
    await store?.close();
  }
}

/** Resolves with an empty map when there is no note. */
export async function readProgress(db: Kysely<Schema>): Promise<Map<string, string>> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === PROGRESS)) return new Map();
  const { rows } = await sql<{ path: string; sha256: string }>`select path, sha256 from ${sql.table(PROGRESS)}`.execute(db);
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}

export async function createProgress(db: Kysely<Schema>): Promise<void> {
  await sql`create table ${sql.table(PROGRESS)} (path varchar(500) primary key, sha256 varchar(64) not null)`.execute(db);
}

export async function noteProgress(db: Kysely<Schema>, path: string, sha256: string): Promise<void> {
  await sql`insert into ${sql.table(PROGRESS)} (path, sha256) values (${path}, ${sha256})`.execute(db);
}
