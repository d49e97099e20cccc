/** The history of the schema. A migration that was released is never changed; a new one is added, with a name that sorts last. */
import type { Migration } from 'kysely/migration';
import { createCoreTables } from './migrations/001_core_tables';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_core_tables': { up: createCoreTables },
};
