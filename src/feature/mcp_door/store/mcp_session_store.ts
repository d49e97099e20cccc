/** The owner that sessions of MCP clients add to the store, and its table. */
import type { Kysely } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { McpSessionTable } from './mcp_session_table';

export const mcpSessionStore: StorePart = {
  owners: { mcpSessions: db => new McpSessionTable(db) },
  migrations: { mcp_door_001_sessions: { up: createSessions } },
};

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mcp_sessions')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('key_id', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('answers_json', 'integer', column => column.notNull())
    .addColumn('can_ask', 'integer', column => column.notNull())
    .addColumn('protocol_version', 'text', column => column.notNull())
    .addColumn('used_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('mcp_sessions_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('mcp_sessions_by_key').on('mcp_sessions').columns(['tenant_id', 'key_id', 'used_at']).execute();
  await db.schema.createIndex('mcp_sessions_by_use').on('mcp_sessions').columns(['used_at']).execute();
}
