/** Queries about the tools that were chosen for sessions. */
import type { Kysely } from 'kysely';
import type { SessionToolsKey, SessionToolsRecord } from '../../../port/store/session_tools';
import { defineTable, type RowOf } from '../base/define_table';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { selectBy, upsertInto } from '../base/table_statements';

const TOOLS = defineTable<SessionToolsRecord>()('session_tools', {
  tenant_id: 'text',
  session_id: 'text',
  agent: 'text',
  names: 'json',
  updated_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    session_tools: RowOf<typeof TOOLS>;
  }
}

export class SessionToolsTable extends sqlTable(statements) {
  get({ tenantId, sessionId, agent }: SessionToolsKey) {
    return this.record(this.statements.get({ tenant_id: tenantId, session_id: sessionId, agent }), TOOLS.toRecord);
  }

  async put(record: SessionToolsRecord): Promise<void> {
    await this.statements.put(this.runner, [record]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, TOOLS, 'tenant_id', 'session_id', 'agent'),
    put: upsertInto(db, TOOLS, ['tenant_id', 'session_id', 'agent']),
  };
}
