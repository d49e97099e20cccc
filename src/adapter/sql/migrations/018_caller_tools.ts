/**
 * The tools and messages that a program brings with a run, and the door that made a session. The list of chats has an index without the sessions
 * of that door, of which a program can make one for each request.
 */
import { type Kysely, sql } from 'kysely';

export async function addCallerTools(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('caller', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('origin_door', 'text').execute();
  await db.schema.dropIndex('sessions_by_update').execute();
  const columns = ['tenant_id', 'updated_at', 'id'] as const;
  await db.schema
    .createIndex('sessions_by_update')
    .on('sessions')
    .columns([...columns])
    .where(sql<boolean>`origin_door is null`)
    .execute();
  await db.schema
    .createIndex('sessions_of_door')
    .on('sessions')
    .columns(['tenant_id', 'origin_door', 'updated_at', 'id'])
    .where(sql<boolean>`origin_door is not null`)
    .execute();
}
