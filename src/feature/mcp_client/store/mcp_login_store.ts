/** The owner that logins at MCP servers add to the store, and its tables. */
import type { Kysely } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { McpLoginTable } from './mcp_login_table';

export const mcpLoginStore: StorePart = {
  owners: { mcpLogins: db => new McpLoginTable(db) },
  migrations: { mcp_client_001_logins: { up: createLogins } },
};

async function createLogins(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mcp_logins')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('sealed', 'text', column => column.notNull())
    .addColumn('held_by', 'text')
    .addColumn('held_until', 'bigint', column => column.notNull())
    .execute();
  await db.schema
    .createTable('mcp_login_steps')
    .addColumn('state_hash', 'text', column => column.primaryKey())
    .addColumn('sealed', 'text', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute();
}
