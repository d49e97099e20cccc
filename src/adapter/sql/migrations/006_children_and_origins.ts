/**
 * Links a child run to the tool call of its parent that started it, a session to what made it, and a question of a child to the chat of its
 * parent. Only rows with a parent are indexed, so an ordinary run costs nothing more.
 */
import { type Kysely, sql } from 'kysely';

export async function linkChildrenAndOrigins(db: Kysely<unknown>): Promise<void> {
  for (const column of ['parent_run_id', 'parent_session_id', 'parent_call_id']) {
    await db.schema.alterTable('runs').addColumn(column, 'text').execute();
  }
  await db.schema.alterTable('runs').addColumn('parent_index', 'integer').execute();
  for (const column of ['parent_run_id', 'parent_session_id', 'origin']) {
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute();
  }
  await db.schema.alterTable('clarifications').addColumn('parent_session_id', 'text').execute();
  await db.schema
    .createIndex('runs_of_parent')
    .unique()
    .on('runs')
    .columns(['tenant_id', 'parent_run_id', 'parent_call_id', 'parent_index'])
    .where(sql<boolean>`parent_run_id is not null`)
    .execute();
  const hasParent = sql<boolean>`parent_session_id is not null`;
  await db.schema.createIndex('sessions_of_parent').on('sessions').columns(['tenant_id', 'parent_session_id']).where(hasParent).execute();
  await db.schema
    .createIndex('clarifications_of_parent')
    .on('clarifications')
    .columns(['tenant_id', 'parent_session_id', 'created_at', 'id'])
    .where(hasParent)
    .execute();
}
