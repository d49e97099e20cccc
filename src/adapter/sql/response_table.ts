/** Queries about the responses of /v1/responses. */
import { type Kysely, sql } from 'kysely';
import type { ResponseRecord } from '../../port/store/responses';
import { fromJson, toFlag } from './column_values';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { ResponseRow } from './response_row';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'run_id', 'session_id', 'settings', 'input', 'is_kept', 'created_at'] as const;

type Key = Pick<ResponseRow, 'tenant_id' | 'run_id'>;

export class ResponseTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, runId: string): Promise<ResponseRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, run_id: runId }));
    return row && toRecord(row);
  }

  async count(tenantId: string, sessionId: string): Promise<number> {
    const [row] = await this.runner.rows(this.statements.count({ tenant_id: tenantId, session_id: sessionId }));
    return row?.count ?? 0;
  }

  async unkept(before: number, limit: number): Promise<Pick<ResponseRecord, 'tenantId' | 'runId' | 'sessionId'>[]> {
    const rows = await this.runner.rows(this.statements.unkept({ before, limit }));
    return rows.map(row => ({ tenantId: row.tenant_id, runId: row.run_id, sessionId: row.session_id }));
  }

  async insert(response: ResponseRecord): Promise<void> {
    await this.statements.insert(this.runner, [toRow(response)]);
  }

  async delete(tenantId: string, runId: string): Promise<boolean> {
    return (await this.runner.changes(this.statements.delete({ tenant_id: tenantId, run_id: runId }))) > 0;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Key) =>
      db.selectFrom('responses').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('run_id', '=', key.run_id),
    ),
    count: template((key: Pick<ResponseRow, 'tenant_id' | 'session_id'>) =>
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
    insert: insertRows<ResponseRow>(COLUMNS, rows => db.insertInto('responses').values(rows)),
    delete: template((key: Key) => db.deleteFrom('responses').where('tenant_id', '=', key.tenant_id).where('run_id', '=', key.run_id)),
  };
}

function toRow(response: ResponseRecord): ResponseRow {
  return {
    tenant_id: response.tenantId,
    run_id: response.runId,
    session_id: response.sessionId,
    settings: JSON.stringify(response.settings),
    input: JSON.stringify(response.input),
    is_kept: toFlag(response.isKept),
    created_at: response.createdAt,
  };
}

function toRecord(row: ResponseRow): ResponseRecord {
  return {
    tenantId: row.tenant_id,
    runId: row.run_id,
    sessionId: row.session_id,
    settings: fromJson<Record<string, unknown>>(row.settings),
    input: fromJson<Record<string, unknown>[]>(row.input),
    isKept: row.is_kept === 1,
    createdAt: row.created_at,
  };
}
