/** Adds the schema of the answer to runs. */
import type { Kysely } from 'kysely';

export async function addOutputSchema(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('output_schema', 'text').execute();
}
