/** The tools that the run that made a job leaves to the runs of the job. */
import type { Kysely } from 'kysely';

export async function addJobTools(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('tools', 'text').execute();
}
