/** Queries about the summaries of sessions. */
import type { Kysely } from 'kysely';
import type { SummaryRecord } from '../../port/store/summaries';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema, SessionSummaryRow } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'session_id', 'run_ordinal', 'position', 'text', 'created_at'] as const;

export class SummaryTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, sessionId: string): Promise<SummaryRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, session_id: sessionId }));
    return row && toRecord(row);
  }

  async put(summary: SummaryRecord): Promise<void> {
    await this.statements.put(this.runner, [toRow(summary)]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Pick<SessionSummaryRow, 'tenant_id' | 'session_id'>) =>
      db.selectFrom('session_summaries').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('session_id', '=', key.session_id),
    ),
    put: insertRows<SessionSummaryRow>(COLUMNS, rows =>
      db
        .insertInto('session_summaries')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'session_id']).doUpdateSet(eb => ({
            run_ordinal: eb.ref('excluded.run_ordinal'),
            position: eb.ref('excluded.position'),
            text: eb.ref('excluded.text'),
            created_at: eb.ref('excluded.created_at'),
          })),
        ),
    ),
  };
}

function toRow({ tenantId, sessionId, runOrdinal, position, text, createdAt }: SummaryRecord): SessionSummaryRow {
  return { tenant_id: tenantId, session_id: sessionId, run_ordinal: runOrdinal, position, text, created_at: createdAt };
}

function toRecord({ tenant_id, session_id, run_ordinal, position, text, created_at }: SessionSummaryRow): SummaryRecord {
  return { tenantId: tenant_id, sessionId: session_id, runOrdinal: run_ordinal, position, text, createdAt: created_at };
}
