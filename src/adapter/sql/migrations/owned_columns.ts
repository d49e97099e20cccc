/** Adds the columns of src/adapter/sql/access/owned_rows.ts to a table. */
import type { Kysely } from 'kysely';

export async function addOwner(db: Kysely<unknown>, table: string): Promise<void> {
  for (const column of ['owner', 'visibility', 'shared_with']) await db.schema.alterTable(table).addColumn(column, 'text').execute();
}
