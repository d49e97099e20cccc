/** Queries about gateways and open questions, for operators. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { jsonText } from '../../../adapter/sql/base/dialect';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { upsertInto } from '../../../adapter/sql/base/table_statements';
import type { OpsNode, OpsQuestionCount, OpsQuestionPeriod, OpsQuestionRow, OpsScope } from './ops_records';

const NODES = defineTable<OpsNode>()('ops_nodes', {
  id: 'text',
  seen_at: 'number',
  wanted_until: 'number',
  figures: 'json',
});

/** A question that is open. The name of the tool is part of the approval. */
const OPEN_QUESTIONS = defineTable<OpsQuestionRow>()('clarifications', {
  tenant_id: 'text',
  id: 'text',
  kind: 'text',
  mode: 'text',
  session_id: 'text',
  run_id: 'text',
  created_at: 'number',
  expires_at: 'number',
  tool: 'text?',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    ops_nodes: RowOf<typeof NODES>;
  }
}

/** Must equal the condition of the partial index `clarifications_pending`, or SQLite does not use it. */
const IS_PENDING = sql<boolean>`status = 'pending'`;

/** A question waits no longer than this before a span in which it counts. */
const LONGEST_WAIT_MS = 86_400_000;
/** Tenants of one reading at most. */
const MAX_TENANTS = 1_000;

export class OpsTable extends sqlTable(statements) {
  async countOpenQuestions(scope: OpsScope, now: number): Promise<OpsQuestionCount[]> {
    const query = this.openQuestions(scope, now)
      .select(['kind', eb => eb.fn.countAll<number>().as('count'), eb => eb.fn.min('created_at').as('oldest_at')])
      .groupBy('kind');
    const rows = await this.runner.rows(query.compile());
    return rows.map(row => ({ kind: row.kind, count: Number(row.count), oldestAt: Number(row.oldest_at) }));
  }

  listOpenQuestions(scope: OpsScope, now: number, limit: number) {
    const query = this.openQuestions(scope, now)
      .select(['tenant_id', 'id', 'kind', 'mode', 'session_id', 'run_id', 'created_at', 'expires_at'])
      .select(jsonText(this.db, 'approval', 'tool').as('tool'))
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit);
    return this.records(query.compile(), OPEN_QUESTIONS.toRecord);
  }

  /** Steps from tenant to tenant, so that the index of each one's questions by time is used. */
  async listQuestionPeriods(
    { tenantId }: OpsScope,
    { from, to }: { from: number; to: number },
    limit: number,
  ): Promise<OpsQuestionPeriod[]> {
    const tenants =
      tenantId === undefined
        ? sql`select min(tenant_id) from clarifications
            union all select (select min(tenant_id) from clarifications where tenant_id > tenants.name) from tenants where tenants.name is not null`
        : sql`select cast(${tenantId} as text)`;
    const query = sql<{ created_at: number; ends_at: number }>`with recursive tenants(name) as (${tenants})
      select created_at, coalesce(closed_at, expires_at) as ends_at
      from (select name from tenants where name is not null limit ${sql.lit(MAX_TENANTS)}) as known
      join clarifications on tenant_id = known.name
      where created_at >= ${from - LONGEST_WAIT_MS} and created_at < ${to} and coalesce(closed_at, expires_at) > ${from}
      order by created_at desc limit ${sql.lit(limit)}`;
    const rows = await this.runner.rows(query.compile(this.db));
    return rows.map(row => ({ createdAt: Number(row.created_at), endsAt: Number(row.ends_at) }));
  }

  listNodes(since: number) {
    return this.records(this.statements.nodes({ since }), NODES.toRecord);
  }

  async figuresWantedUntil(id: string): Promise<number> {
    const [row] = await this.runner.rows(this.statements.wantedUntil({ id }));
    return Number(row?.until ?? 0);
  }

  async putNode(node: OpsNode, forgetBefore: number): Promise<void> {
    await this.runner.changes(this.statements.forgetNodes({ before: forgetBefore }));
    await this.statements.putNode(this.runner, [node]);
  }

  private openQuestions({ tenantId }: OpsScope, now: number) {
    const open = this.db.selectFrom('clarifications').where(IS_PENDING).where('expires_at', '>', now);
    return tenantId === undefined ? open : open.where('tenant_id', '=', tenantId);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    nodes: template(({ since }: { since: number }) =>
      db.selectFrom('ops_nodes').select(NODES.columns).where('seen_at', '>=', since).orderBy('id'),
    ),
    wantedUntil: template(({ id }: { id: string }) =>
      db
        .selectFrom('ops_nodes')
        .select(eb => eb.fn.max('wanted_until').as('until'))
        .where('id', '!=', id),
    ),
    putNode: upsertInto(db, NODES, ['id']),
    forgetNodes: template(({ before }: { before: number }) => db.deleteFrom('ops_nodes').where('seen_at', '<', before)),
  };
}
