/** Changes the tables of web push, which a migration of the core created. */
import type { Kysely } from 'kysely';

/** Tells devices apart for their person, and keeps how much their notifications may say. */
export async function describeDevices(db: Kysely<unknown>): Promise<void> {
  const change = () => db.schema.alterTable('push_subscriptions');
  await change().addColumn('name', 'text').execute();
  await change()
    .addColumn('preview', 'integer', column => column.notNull().defaultTo(1))
    .execute();
  await change().addColumn('last_used_at', 'bigint').execute();
}
