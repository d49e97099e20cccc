/** Links to chats whose holders may write: `role` is `guest` there, and null for links that only show. */
import { type Kysely, sql } from 'kysely';

export async function addShareRole(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('shares').addColumn('role', 'text').execute();
  // The gateway reads the open ones of all tenants every 1.5 seconds.
  await sql`create index shares_of_guests on shares (expires_at) where role = 'guest'`.execute(db);
}
