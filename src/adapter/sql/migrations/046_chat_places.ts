/** Where a chat stands in the list: pinned, archived, in a project. Only chats that a person has put somewhere are indexed. */
import { type Kysely, sql } from 'kysely';

export async function addChatPlaces(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('pinned', 'integer').execute();
  await db.schema.alterTable('sessions').addColumn('archived', 'integer').execute();
  await db.schema.alterTable('sessions').addColumn('project', 'text').execute();
  for (const column of ['pinned', 'archived']) {
    await db.schema
      .createIndex(`sessions_${column}`)
      .on('sessions')
      .columns(['tenant_id', 'updated_at', 'id'])
      .where(sql<boolean>`${sql.ref(column)} = 1`)
      .execute();
  }
  await db.schema
    .createIndex('sessions_of_project')
    .on('sessions')
    .columns(['tenant_id', 'project', 'updated_at', 'id'])
    .where(sql<boolean>`project is not null`)
    .execute();
}
