/** The trace to which the caller of a run counts it, for the run and for what it announces. */
import type { Kysely } from 'kysely';

export async function addTraces(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('trace', 'text').execute();
  await db.schema.alterTable('webhook_deliveries').addColumn('trace', 'text').execute();
}
