/** Creates the views of lists that operators save under a name, and the last use of the keys of NETA_API_KEYS, which have no row of their own. */
import type { Kysely } from 'kysely';

export async function createViewsAndKeyUses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_views')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('screen', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('query', 'text', column => column.notNull())
    .addColumn('saved_by', 'text', column => column.notNull())
    .addColumn('saved_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('saved_views_key', ['tenant_id', 'screen', 'name'])
    .execute();
  await db.schema
    .createTable('configured_key_uses')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('last_used_at', 'bigint', column => column.notNull())
    .execute();
}
