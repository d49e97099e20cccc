/** Finds the few runs of which some events are deleted already: `events_expired` is 2 until the last one is. */
import { type Kysely, sql } from 'kysely';

export async function indexExpiringRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('runs_expiring')
    .on('runs')
    .columns(['tenant_id', 'session_id'])
    .where(sql<boolean>`events_expired = 2`)
    .execute();
}
