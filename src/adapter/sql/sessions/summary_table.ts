/** Queries about the summaries of sessions. */
import type { Kysely } from 'kysely';
import type { SummaryRecord } from '../../../port/store/summaries';
import { defineTable, type RowOf } from '../base/define_table';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { selectBy, upsertInto } from '../base/table_statements';

const SUMMARIES = defineTable<SummaryRecord>()('session_summaries', {
  tenant_id: 'text',
  session_id: 'text',
  run_ordinal: 'number',
  position: 'number',
  text: 'text',
  created_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    session_summaries: RowOf<typeof SUMMARIES>;
  }
}

export class SummaryTable extends sqlTable(statements) {
  get(tenantId: string, sessionId: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, session_id: sessionId }), SUMMARIES.toRecord);
  }

  async put(summary: SummaryRecord): Promise<void> {
    await this.statements.put(this.runner, [summary]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, SUMMARIES, 'tenant_id', 'session_id'),
    put: upsertInto(db, SUMMARIES, ['tenant_id', 'session_id']),
  };
}
