/** Queries about terminal state. */
import type { Kysely } from 'kysely';
import type { TerminalState } from '../../port/shell';
import type { TerminalRecord } from '../../port/store/terminals';
import { fromJson } from './column_values';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema, TerminalRow } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'session_id', 'cwd', 'variables', 'updated_at'] as const;

export class TerminalTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, sessionId: string): Promise<TerminalRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, session_id: sessionId }));
    if (!row) return undefined;
    const state = { cwd: row.cwd, variables: fromJson<TerminalState['variables']>(row.variables) };
    return { tenantId, sessionId, state, updatedAt: row.updated_at };
  }

  async put({ tenantId, sessionId, state, updatedAt }: TerminalRecord): Promise<void> {
    const variables = JSON.stringify(state.variables);
    await this.statements.put(this.runner, [
      { tenant_id: tenantId, session_id: sessionId, cwd: state.cwd, variables, updated_at: updatedAt },
    ]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Pick<TerminalRow, 'tenant_id' | 'session_id'>) =>
      db.selectFrom('terminals').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('session_id', '=', key.session_id),
    ),
    put: insertRows<TerminalRow>(COLUMNS, rows =>
      db
        .insertInto('terminals')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'session_id']).doUpdateSet(eb => ({
            cwd: eb.ref('excluded.cwd'),
            variables: eb.ref('excluded.variables'),
            updated_at: eb.ref('excluded.updated_at'),
          })),
        ),
    ),
  };
}
