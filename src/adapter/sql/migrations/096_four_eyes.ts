/** Stores who has said yes to an approval so far, who wrote each message, and to whom a key belongs. */
import type { Kysely } from 'kysely';

export async function addFourEyes(db: Kysely<unknown>): Promise<void> {
  const add = (table: string, column: string) => db.schema.alterTable(table).addColumn(column, 'text').execute();
  await add('clarifications', 'approvals');
  await add('runs', 'written_by');
  await add('steers', 'written_by');
  await add('api_keys', 'owner');
}
