/** Replaces three indexes of all runs, which the start and the end of each run changed, by one index of the unfinished runs. */
import { type Kysely, sql } from 'kysely';

export async function indexUnfinishedRuns(db: Kysely<unknown>): Promise<void> {
  for (const index of ['runs_by_status', 'runs_unfinished', 'runs_leased']) await db.schema.dropIndex(index).execute();
  await db.schema
    .createIndex('runs_unfinished')
    .on('runs')
    .columns(['tenant_id', 'session_id', 'ordinal'])
    .where(sql<boolean>`status in ('queued', 'running', 'waiting')`)
    .execute();
}
