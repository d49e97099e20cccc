/** Keeps from where a login came, so that people recognise their logins. */
import type { Kysely } from 'kysely';

export async function addLoginClients(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('logins').addColumn('address', 'text').execute();
  await db.schema.alterTable('logins').addColumn('user_agent', 'text').execute();
}
