/** One index of the few unfinished runs replaces three, which each run entered at its start and left, or changed in, at its end. */
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
