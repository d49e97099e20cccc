/** Brings a database to the newest schema. */
import { type Kysely, sql } from 'kysely';
import { StoreOpenError } from '../../../port/store/store_errors';
import type { Schema } from '../base/schema';
import { MIGRATION_NAMES } from './migration_names';
import { MIGRATIONS } from './migrations';

const MIGRATION_TABLE = 'schema_migrations';

/**
 * Applies the missing migrations. The caller holds the write lock and a transaction, so that a migration runs once and completely. Rejects with
 * StoreOpenError when the database has migrations that this version does not know.
 */
export async function migrateToLatest(db: Kysely<Schema>): Promise<void> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter(name => !MIGRATION_NAMES.some(known => known === name));
  if (unknown.length > 0) {
    throw new StoreOpenError(
      `The database was written by a newer version of the gateway (it has ${unknown.join(', ')}); start that version or restore a backup.`,
    );
  }
  if (applied.length < MIGRATION_NAMES.length) await applyMissing(db);
}

/** Applies the missing migrations. Loads the part of the package that runs them only now, because most starts find nothing to do. */
async function applyMissing(db: Kysely<Schema>): Promise<void> {
  const { Migrator }: typeof import('kysely/migration') = require('kysely/migration');
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
    disableTransactions: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Names of the applied migrations, oldest first; empty for a new database. */
async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const table = tables.find(({ name }) => name === MIGRATION_TABLE);
  if (!table) return [];
  if (!table.columns.some(({ name }) => name === 'name')) {
    throw new StoreOpenError(`The database belongs to another program (its table ${MIGRATION_TABLE}): give the gateway one of its own.`);
  }
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(row => row.name);
}
