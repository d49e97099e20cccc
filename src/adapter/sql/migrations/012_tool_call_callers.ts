/** Says for whom a tool ran, and keeps the whole answer of a direct call that nobody waited for. */
import type { Kysely } from 'kysely';

export async function addToolCallCallers(db: Kysely<unknown>): Promise<void> {
  for (const column of ['command', 'user_name', 'agent', 'answer']) {
    await db.schema.alterTable('tool_executions').addColumn(column, 'text').execute();
  }
}
