/** Stores who wrote the instructions of a chat, because their words are in each of its runs. */
import type { Kysely } from 'kysely';

export async function addInstructionsBy(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('instructions_by', 'text').execute();
}
