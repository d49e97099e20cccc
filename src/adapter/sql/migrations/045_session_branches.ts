/**
 * Groups the branches of a chat under its first session, and lets a copy of a session end within a run. Only sessions of a chat with branches are
 * indexed, so an ordinary session costs nothing more.
 */
import { type Kysely, sql } from 'kysely';

/** The highest number of an integer column: a copy that began before this migration ends after a run. */
const MOST = 2_147_483_647;

export async function addSessionBranches(db: Kysely<unknown>): Promise<void> {
  for (const column of ['root_session_id', 'before_run_id']) {
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute();
  }
  await db.schema
    .createIndex('sessions_of_root')
    .on('sessions')
    .columns(['tenant_id', 'root_session_id', 'updated_at', 'id'])
    .where(sql<boolean>`root_session_id is not null`)
    .execute();
  await db.schema
    .alterTable('session_copies')
    .addColumn('last_position', 'integer', column => column.notNull().defaultTo(MOST))
    .execute();
}
