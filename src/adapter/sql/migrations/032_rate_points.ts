/** Adds the points that the newest request of a counter took: the statement that takes points can then return them. */
import type { Kysely } from 'kysely';

export async function addTakenPoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('rate_counters')
    .addColumn('taken', 'bigint', column => column.notNull().defaultTo(0))
    .execute();
}
