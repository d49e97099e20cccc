/** Stores whom a question asks, when and to whom it is passed on, and who caused it. */
import type { Kysely } from 'kysely';

export async function addAskedPeople(db: Kysely<unknown>): Promise<void> {
  for (const column of ['asked_to', 'passed_to', 'escalate', 'asked_by'])
    await db.schema.alterTable('clarifications').addColumn(column, 'text').execute();
}
