/** Creates the usage of tools by day. */
import type { Kysely } from 'kysely';

export async function createUsageOfTools(db: Kysely<unknown>): Promise<void> {
  const keys = ['tenant_id', 'day', 'key_name', 'agent', 'tool'];
  let table = db.schema.createTable('usage_tool_days');
  for (const name of keys) table = table.addColumn(name, 'text', column => column.notNull());
  for (const name of ['runs', 'calls', 'duration_ms']) table = table.addColumn(name, 'bigint', column => column.notNull());
  await table.addPrimaryKeyConstraint('usage_tool_days_key', keys as never).execute();
}
