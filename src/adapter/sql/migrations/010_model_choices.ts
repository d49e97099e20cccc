/** The model and the parameters that a session or a run has chosen. */
import type { Kysely } from 'kysely';

export async function addModelChoices(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sessions', 'runs']) {
    await db.schema.alterTable(table).addColumn('model', 'text').execute();
    await db.schema.alterTable(table).addColumn('parameters', 'text').execute();
  }
}
