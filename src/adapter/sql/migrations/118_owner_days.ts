/** Stores for how many days chats of an owner are kept, where that differs from the setting of the gateway. */
import type { Kysely } from 'kysely';

export async function createOwnerDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owner_days')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('days', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('owner_days_key', ['tenant_id', 'owner'])
    .execute();
}
