/** Records the API key whose answer or decision closed a question. */
import type { Kysely } from 'kysely';

export async function addDecidedBy(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('clarifications').addColumn('decided_by', 'text').execute();
}
