/** The process at which the callers of a run wait. */
import { type Kysely, sql } from 'kysely';

export async function addRunCallers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('caller_at', 'text').execute();
  await db.schema.alterTable('runs').addColumn('caller_until', 'bigint').execute();
  // The callers of these runs waited at a process that has ended.
  await sql`update runs set caller_until = 0 where status in ('queued', 'running', 'waiting') and door in ('openai', 'agui', 'responses')
    and interaction not like '%"publishes":"stored"%'`.execute(db);
}
