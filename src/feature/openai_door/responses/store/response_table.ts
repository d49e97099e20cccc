/** Queries about the responses of /v1/responses. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../../adapter/sql/base/define_table';
import { template } from '../../../../adapter/sql/base/query_template';
import type { Schema } from '../../../../adapter/sql/base/schema';
import { sqlTable } from '../../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../../adapter/sql/base/table_statements';
import type { ResponseRecord } from './response_records';

const RESPONSES = defineTable<ResponseRecord>()('responses', {
  tenant_id: 'text',
  run_id: 'text',
  session_id: 'text',
  settings: 'json',
  input: 'json',
  is_kept: 'flag',
  created_at: 'number',
});

declare module '../../../../adapter/sql/base/schema' {
  interface Schema {
    responses: RowOf<typeof RESPONSES>;
  }
}

export class ResponseTable extends sqlTable(statements) {
  get(tenantId: string, runId: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, run_id: runId }), RESPONSES.toRecord);
  }

  count(tenantId: string, sessionId: string) {
    return this.readCount(this.statements.count({ tenant_id: tenantId, session_id: sessionId }));
  }

  unkept(before: number, limit: number) {
    return this.records(this.statements.unkept({ before, limit }), row => ({
      tenantId: row.tenant_id,
      runId: row.run_id,
      sessionId: row.session_id,
    }));
  }

  async insert(response: ResponseRecord): Promise<void> {
    await this.statements.insert(this.runner, [response]);
  }

  delete(tenantId: string, runId: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, run_id: runId }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, RESPONSES, 'tenant_id', 'run_id'),
    count: template((key: { tenant_id: string; session_id: string }) =>
      db
        .selectFrom('responses')
        .select(sql<number>`count(*)`.as('count'))
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id),
    ),
    unkept: template((range: { before: number; limit: number }) =>
      db
        .selectFrom('responses')
        .select(['tenant_id', 'run_id', 'session_id'])
        .where('is_kept', '=', sql.lit(0))
        .where('created_at', '<', range.before)
        .orderBy('created_at')
        .limit(range.limit),
    ),
    insert: insertInto(db, RESPONSES),
    delete: deleteBy(db, RESPONSES, 'tenant_id', 'run_id'),
  };
}
