/** Creates the links that show a chat to others. */
import type { Kysely } from 'kysely';

export async function createShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('without_login', 'integer', column => column.notNull())
    .addColumn('key_name', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('shares_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint('shares_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
  await db.schema.createIndex('shares_of_session').on('shares').columns(['tenant_id', 'session_id', 'created_at', 'id']).execute();
  await db.schema.createIndex('shares_by_end').on('shares').columns(['expires_at']).execute();
}
