/** Says to whom a session is visible, and who beside its owner takes part in it. Sessions from before are visible to their tenant. */
import type { Kysely } from 'kysely';

export async function addSessionAccess(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('owner', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('visibility', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('access_id', 'text').execute();
  await db.schema
    .createIndex('sessions_by_access')
    .on('sessions')
    .columns(['tenant_id', 'access_id'])
    .where('access_id', 'is not', null)
    .execute();
  await db.schema
    .createTable('session_members')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('access_id', 'text', column => column.notNull())
    .addColumn('member', 'text', column => column.notNull())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('added_by', 'text', column => column.notNull())
    .addColumn('added_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('session_members_key', ['tenant_id', 'access_id', 'member'])
    .addForeignKeyConstraint('session_members_session', ['tenant_id', 'access_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}
