/** Stores when an approval was passed on, so that it is passed on once. */
import type { Kysely } from 'kysely';

export async function addEscalatedAt(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clarifications').addColumn('escalated_at', 'bigint').execute();
}
