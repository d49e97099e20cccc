/** Queries about sessions of MCP clients. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { McpSessionRecord } from './mcp_session_records';

const SESSIONS = defineTable<McpSessionRecord>()('mcp_sessions', {
  tenant_id: 'text',
  id: 'text',
  key_id: 'text',
  locale: 'text',
  answers_json: 'flag',
  can_ask: 'flag',
  protocol_version: 'text',
  used_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    mcp_sessions: RowOf<typeof SESSIONS>;
  }
}

export class McpSessionTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), SESSIONS.toRecord);
  }

  idsOfKey(tenantId: string, keyId: string) {
    return this.records(this.statements.idsOfKey({ tenant_id: tenantId, key_id: keyId }), ({ id }) => id);
  }

  async insert(session: McpSessionRecord): Promise<void> {
    await this.statements.insert(this.runner, [session]);
  }

  touch(tenantId: string, id: string, usedAt: number) {
    return this.hasChanged(this.statements.touch({ tenant_id: tenantId, id, used_at: usedAt }));
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }

  deleteUnused(time: number): Promise<number> {
    return this.runner.changes(this.statements.deleteUnused({ time }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, SESSIONS, 'tenant_id', 'id'),
    idsOfKey: template((key: { tenant_id: string; key_id: string }) =>
      db
        .selectFrom('mcp_sessions')
        .select('id')
        .where('tenant_id', '=', key.tenant_id)
        .where('key_id', '=', key.key_id)
        .orderBy('used_at')
        .orderBy('id'),
    ),
    insert: insertInto(db, SESSIONS),
    touch: template((row: { tenant_id: string; id: string; used_at: number }) =>
      db.updateTable('mcp_sessions').set({ used_at: row.used_at }).where('tenant_id', '=', row.tenant_id).where('id', '=', row.id),
    ),
    delete: deleteBy(db, SESSIONS, 'tenant_id', 'id'),
    deleteUnused: template(({ time }: { time: number }) => db.deleteFrom('mcp_sessions').where('used_at', '<', time)),
  };
}
