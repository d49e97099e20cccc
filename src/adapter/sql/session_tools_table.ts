/** Queries about the tools that were chosen for sessions. */
import type { Kysely } from 'kysely';
import type { SessionToolsKey, SessionToolsRecord } from '../../port/store/session_tools';
import { fromJson } from './column_values';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema } from './schema';
import type { SessionToolsRow } from './session_tools_row';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'session_id', 'agent', 'names', 'updated_at'] as const;

export class SessionToolsTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get({ tenantId, sessionId, agent }: SessionToolsKey): Promise<SessionToolsRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, session_id: sessionId, agent }));
    return row && { tenantId, sessionId, agent, names: fromJson<string[]>(row.names), updatedAt: row.updated_at };
  }

  async put({ tenantId, sessionId, agent, names, updatedAt }: SessionToolsRecord): Promise<void> {
    const row = { tenant_id: tenantId, session_id: sessionId, agent, names: JSON.stringify(names), updated_at: updatedAt };
    await this.statements.put(this.runner, [row]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Pick<SessionToolsRow, 'tenant_id' | 'session_id' | 'agent'>) =>
      db
        .selectFrom('session_tools')
        .select(COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('agent', '=', key.agent),
    ),
    put: insertRows<SessionToolsRow>(COLUMNS, rows =>
      db
        .insertInto('session_tools')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'session_id', 'agent']).doUpdateSet(eb => ({
            names: eb.ref('excluded.names'),
            updated_at: eb.ref('excluded.updated_at'),
          })),
        ),
    ),
  };
}
