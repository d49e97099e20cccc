/** Queries about terminal state. */
import type { Kysely } from 'kysely';
import type { TerminalState } from '../../../port/shell';
import type { TerminalRecord } from '../../../port/store/terminals';
import { defineTable, type RowOf } from '../base/define_table';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { selectBy, upsertInto } from '../base/table_statements';

type StoredTerminal = Omit<TerminalRecord, 'state'> & TerminalState;
const TERMINALS = defineTable<StoredTerminal>()('terminals', {
  tenant_id: 'text',
  session_id: 'text',
  cwd: 'text',
  variables: 'json',
  updated_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    terminals: RowOf<typeof TERMINALS>;
  }
}

export class TerminalTable extends sqlTable(statements) {
  get(tenantId: string, sessionId: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, session_id: sessionId }), row => toTerminal(TERMINALS.toRecord(row)));
  }

  async put({ state, ...terminal }: TerminalRecord): Promise<void> {
    await this.statements.put(this.runner, [{ ...terminal, ...state }]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, TERMINALS, 'tenant_id', 'session_id'),
    put: upsertInto(db, TERMINALS, ['tenant_id', 'session_id']),
  };
}

const toTerminal = ({ cwd, variables, ...terminal }: StoredTerminal): TerminalRecord => ({ ...terminal, state: { cwd, variables } });
