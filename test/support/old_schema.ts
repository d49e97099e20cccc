/** Databases as earlier versions made them. */
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from '../../src/adapter/sql/migrations/migrations';

/** Applies the migrations of the core whose names sort before `name`. */
export async function migrateBefore(db: Kysely<unknown>, name: string): Promise<void> {
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([known]) => known < name));
  const names = { migrationTableName: 'schema_migrations', migrationLockTableName: 'schema_migrations_lock' };
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations }, ...names }).migrateToLatest();
  if (error) throw error;
}
