/** Brings a database to the newest schema. */
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StoreOpenError } from '../../../port/store/store_errors';
import type { Schema } from '../base/schema';
import type { StoreParts } from '../store_part';
import { MIGRATIONS } from './migrations';

const MIGRATION_TABLE = 'schema_migrations';
/** Names of the core begin with a digit, so they sort before those of features. */
const OF_FEATURE = /^([a-z][a-z_]*)_\d{3}_/;
/** A migration whose name ends so takes away or narrows what earlier versions use. Every other one only adds, so that they work with its result. */
export const CONTRACT = /_contract$/;

/**
 * Applies the missing migrations. The caller holds the write lock and a transaction, so that a migration runs once and completely. Rejects with
 * StoreOpenError when the database has a contracting migration that this version does not know. Additions of a newer version, and migrations of a
 * feature that is left out, do no harm.
 */
export async function migrateToLatest(db: Kysely<Schema>, parts: StoreParts): Promise<void> {
  const known = allMigrations(parts);
  const applied = await appliedMigrations(db);
  const unknown = applied.filter(name => !(name in known));
  const newer = unknown.filter(name => CONTRACT.test(name) && isExpected(name, parts));
  if (newer.length > 0) {
    throw new StoreOpenError(
      `The database was written by a newer version of the gateway (it has ${newer.join(', ')}, which this version cannot work with); start that version or restore a backup.`,
    );
  }
  if (Object.keys(known).every(name => applied.includes(name))) return;
  const others = Object.fromEntries(unknown.map(name => [name, { up: async () => {} }]));
  await apply(db, { ...known, ...others });
}

/**
 * Applies the named migrations to an empty database, which then has the tables of an older gateway. Rejects with StoreOpenError when this version does not
 * know one of them.
 */
export async function migrateTo(db: Kysely<Schema>, parts: StoreParts, names: readonly string[]): Promise<void> {
  const known = allMigrations(parts);
  const unknown = names.filter(name => !(name in known));
  if (unknown.length > 0) {
    throw new StoreOpenError(
      `The data was written by a newer version of the gateway (it has ${unknown.join(', ')}); use that version or a later one.`,
    );
  }
  await apply(db, Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name))));
}

/** Returns the names of the migrations of this gateway. */
export const migrationNames = (parts: StoreParts): string[] => Object.keys(allMigrations(parts));

/** Names of the applied migrations, oldest first; empty for a new database. */
export async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const table = tables.find(({ name }) => name === MIGRATION_TABLE);
  if (!table) return [];
  if (!table.columns.some(({ name }) => name === 'name')) {
    throw new StoreOpenError(`The database belongs to another program (its table ${MIGRATION_TABLE}): give the gateway one of its own.`);
  }
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(row => row.name);
}

function allMigrations(parts: StoreParts): Record<string, Migration> {
  const all: Record<string, Migration> = { ...MIGRATIONS };
  for (const [feature, { migrations = {} }] of Object.entries(parts)) {
    for (const name of Object.keys(migrations)) {
      if (OF_FEATURE.exec(name)?.[1] !== feature)
        throw new Error(`The migration ${name} must be named ${feature}_<three digits>_<what it does>.`);
    }
    Object.assign(all, migrations);
  }
  return all;
}

/** Returns true for a name of the core or of a feature of this gateway. */
function isExpected(name: string, parts: StoreParts): boolean {
  const feature = OF_FEATURE.exec(name)?.[1];
  return feature === undefined || feature in parts;
}

async function apply(db: Kysely<Schema>, migrations: Record<string, Migration>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
    disableTransactions: true,
    // A feature may come to a database that is older or newer than its migrations.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
