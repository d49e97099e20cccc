/** Creates the lists of MCP and manifest tools that sessions have, so that a restart keeps prompt caches. */
import type { Kysely } from 'kysely';

export async function createSessionTools(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session_tools')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('names', 'text', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('session_tools_key', ['tenant_id', 'session_id', 'agent'])
    .addForeignKeyConstraint('session_tools_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}
