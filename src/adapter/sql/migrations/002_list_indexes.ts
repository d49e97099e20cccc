/** Indexes for lists that would otherwise read every row of a tenant, or every tool call of a session. */
import { type Kysely, sql } from 'kysely';

export async function createListIndexes(db: Kysely<unknown>): Promise<void> {
  // Most runs complete, so a list of those finds a page at once; the others are few, and an index of them costs a completed run nothing.
  await db.schema
    .createIndex('runs_unsuccessful')
    .on('runs')
    .columns(['tenant_id', 'status', 'created_at', 'id'])
    .where(sql<boolean>`status in ('incomplete', 'failed', 'cancelled')`)
    .execute();
  await db.schema
    .createIndex('tool_executions_by_tool')
    .on('tool_executions')
    .columns(['tenant_id', 'session_id', 'tool', 'created_at', 'id'])
    .execute();
  await db.schema.createIndex('clarifications_by_creation').on('clarifications').columns(['tenant_id', 'created_at', 'id']).execute();
  await db.schema
    .createIndex('clarifications_in_session')
    .on('clarifications')
    .columns(['tenant_id', 'session_id', 'created_at', 'id'])
    .execute();
}
