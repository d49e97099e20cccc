/** Keeps with an active run what it has used so far, so that all gateways count it for the budgets of the day. */
import type { Kysely } from 'kysely';

export async function addSpentAmounts(db: Kysely<unknown>): Promise<void> {
  for (const name of ['spent_tokens', 'spent_nano_dollars'])
    await db.schema
      .alterTable('runs')
      .addColumn(name, 'bigint', column => column.notNull().defaultTo(0))
      .execute();
}
