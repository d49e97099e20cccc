/** Queries about recordings of runs and prompt parts. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { upsertInto } from '../../../adapter/sql/base/table_statements';
import type { RunRecording } from '../../../port/run_recording';
import { type PromptPartRecord, type RecordedRunId, SHARED_PART } from './recording_records';

const PARTS = defineTable<PromptPartRecord>()('prompt_parts', {
  tenant_id: 'text',
  owner: 'text',
  hash: 'text',
  session_id: 'text?',
  text: 'text',
  used_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    prompt_parts: RowOf<typeof PARTS>;
  }
}

const DAY_MS = 86_400_000;

export class RecordingTable extends sqlTable(statements) {
  async get(tenantId: string, runId: string): Promise<RunRecording | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, id: runId }));
    // The gateway wrote the text itself.
    return row?.recording ? (JSON.parse(row.recording) as RunRecording) : undefined;
  }

  parts(tenantId: string, sessionId: string, hashes: readonly string[]) {
    const query = this.db
      .selectFrom('prompt_parts')
      .select(PARTS.columns)
      .where('tenant_id', '=', tenantId)
      .where('owner', 'in', [sessionId, SHARED_PART])
      .where('hash', 'in', [...hashes]);
    return this.records(query.compile(), PARTS.toRecord);
  }

  async tenants(): Promise<string[]> {
    const rows = await this.runner.rows(this.db.selectFrom('prompt_parts').select('tenant_id').distinct().orderBy('tenant_id').compile());
    return rows.map(row => row.tenant_id);
  }

  async tenantOf(runId: string): Promise<string | undefined> {
    const [row] = await this.runner.rows(this.db.selectFrom('runs').select('tenant_id').where('id', '=', runId).limit(1).compile());
    return row?.tenant_id;
  }

  async newest(tenantId: string, limit: number): Promise<RecordedRunId[]> {
    const query = this.db
      .selectFrom('runs')
      .select(['tenant_id', 'id', 'created_at'])
      .where('tenant_id', '=', tenantId)
      .where('recording', 'is not', null)
      .where('parent_run_id', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    const rows = await this.runner.rows(query.compile());
    return rows.map(row => ({ tenantId: row.tenant_id, id: row.id, createdAt: row.created_at }));
  }

  async putPart(part: PromptPartRecord): Promise<void> {
    await this.statements.putPart(this.runner, [part]);
  }

  /** A part holds the start of the day of its last use, so the times of runs are compared with it by day. */
  deleteUnusedParts(before: number): Promise<void> {
    const query = this.db
      .deleteFrom('prompt_parts')
      .where('owner', '=', SHARED_PART)
      .where('used_at', '<', before)
      .where(
        'used_at',
        '<=',
        sql<number>`coalesce((
        select min(runs.created_at) - ${DAY_MS} from runs where runs.tenant_id = prompt_parts.tenant_id and runs.recording is not null
      ), ${before})`,
      );
    return this.execute(query.compile());
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: { tenant_id: string; id: string }) =>
      db.selectFrom('runs').select('recording').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    putPart: upsertInto(db, PARTS, ['tenant_id', 'owner', 'hash']),
  };
}
