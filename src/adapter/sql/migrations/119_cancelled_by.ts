/** Stores who cancelled a run: the gateway that executes it, or the one that recovers it after a crash, writes the name into the end of the run. */
import type { Kysely } from 'kysely';

export async function addCancelledBy(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('cancelled_by', 'text').execute();
}
