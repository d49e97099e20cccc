/** Keeps with a run what it will likely use, so that all gateways count it for the budgets of the day, and the question about its price. */
import type { Kysely } from 'kysely';

export async function addReservedAmounts(db: Kysely<unknown>): Promise<void> {
  for (const name of ['reserved_tokens', 'reserved_nano_dollars']) await db.schema.alterTable('runs').addColumn(name, 'bigint').execute();
  await db.schema.alterTable('runs').addColumn('price_question', 'text').execute();
}
