/** Queries about switches, gateways and open questions, for operators. */
import { type Kysely, sql } from 'kysely';
import type { OpsNode, OpsQuestionCount, OpsQuestionRow, OpsScope, OpsSwitch } from '../../port/store/ops';
import { fromJson } from './column_values';
import { jsonText } from './dialect';
import { insertRows } from './insert_rows';
import type { OpsNodeRow, OpsSwitchRow } from './ops_rows';
import { template } from './query_template';
import type { QuestionRow, Schema } from './schema';
import { SqlTable } from './sql_table';

const SWITCH_COLUMNS = ['tenant_id', 'name', 'reason', 'changed_by', 'changed_at'] as const;
const NODE_COLUMNS = ['id', 'seen_at', 'wanted_until', 'figures'] as const;
/** Must equal the condition of the partial index `clarifications_pending`, or SQLite does not use it. */
const IS_PENDING = sql<boolean>`status = 'pending'`;

export class OpsTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async countOpenQuestions(scope: OpsScope, now: number): Promise<OpsQuestionCount[]> {
    const query = this.openQuestions(scope, now)
      .select(['kind', eb => eb.fn.countAll<number>().as('count'), eb => eb.fn.min('created_at').as('oldest_at')])
      .groupBy('kind');
    const rows = await this.runner.rows(query.compile());
    return rows.map(row => ({ kind: row.kind, count: Number(row.count), oldestAt: Number(row.oldest_at) }));
  }

  async listOpenQuestions(scope: OpsScope, now: number, limit: number): Promise<OpsQuestionRow[]> {
    const query = this.openQuestions(scope, now)
      .select(['tenant_id', 'id', 'kind', 'mode', 'session_id', 'run_id', 'created_at', 'expires_at'])
      .select(jsonText(this.db, 'approval', 'tool').as('tool'))
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit);
    return (await this.runner.rows(query.compile())).map(toQuestion);
  }

  async listSwitches(): Promise<OpsSwitch[]> {
    return (await this.runner.rows(this.statements.switches({}))).map(toSwitch);
  }

  async putSwitch({ tenantId, name, reason, changedBy, changedAt }: OpsSwitch): Promise<void> {
    const row = { tenant_id: tenantId, name, reason: reason ?? null, changed_by: changedBy, changed_at: changedAt };
    await this.statements.putSwitch(this.runner, [row]);
  }

  async deleteSwitch(tenantId: string, name: string): Promise<boolean> {
    return (await this.runner.changes(this.statements.deleteSwitch({ tenant_id: tenantId, name }))) > 0;
  }

  async listNodes(since: number): Promise<OpsNode[]> {
    const rows = await this.runner.rows(this.statements.nodes({ since }));
    return rows.map(row => ({ id: row.id, seenAt: row.seen_at, wantedUntil: row.wanted_until, figures: fromJson(row.figures) }));
  }

  async figuresWantedUntil(id: string): Promise<number> {
    const [row] = await this.runner.rows(this.statements.wantedUntil({ id }));
    return Number(row?.until ?? 0);
  }

  async putNode({ id, seenAt, wantedUntil, figures }: OpsNode, forgetBefore: number): Promise<void> {
    await this.runner.changes(this.statements.forgetNodes({ before: forgetBefore }));
    await this.statements.putNode(this.runner, [{ id, seen_at: seenAt, wanted_until: wantedUntil, figures: JSON.stringify(figures) }]);
  }

  private openQuestions({ tenantId }: OpsScope, now: number) {
    const open = this.db.selectFrom('clarifications').where(IS_PENDING).where('expires_at', '>', now);
    return tenantId === undefined ? open : open.where('tenant_id', '=', tenantId);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    switches: template(() => db.selectFrom('ops_switches').select(SWITCH_COLUMNS).orderBy('tenant_id').orderBy('name')),
    putSwitch: insertRows<OpsSwitchRow>(SWITCH_COLUMNS, rows =>
      db
        .insertInto('ops_switches')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'name']).doUpdateSet(eb => ({
            reason: eb.ref('excluded.reason'),
            changed_by: eb.ref('excluded.changed_by'),
            changed_at: eb.ref('excluded.changed_at'),
          })),
        ),
    ),
    deleteSwitch: template((key: Pick<OpsSwitchRow, 'tenant_id' | 'name'>) =>
      db.deleteFrom('ops_switches').where('tenant_id', '=', key.tenant_id).where('name', '=', key.name),
    ),
    nodes: template(({ since }: { since: number }) =>
      db.selectFrom('ops_nodes').select(NODE_COLUMNS).where('seen_at', '>=', since).orderBy('id'),
    ),
    wantedUntil: template(({ id }: Pick<OpsNodeRow, 'id'>) =>
      db
        .selectFrom('ops_nodes')
        .select(eb => eb.fn.max('wanted_until').as('until'))
        .where('id', '!=', id),
    ),
    putNode: insertRows<OpsNodeRow>(NODE_COLUMNS, rows =>
      db
        .insertInto('ops_nodes')
        .values(rows)
        .onConflict(conflict =>
          conflict.column('id').doUpdateSet(eb => ({
            seen_at: eb.ref('excluded.seen_at'),
            wanted_until: eb.ref('excluded.wanted_until'),
            figures: eb.ref('excluded.figures'),
          })),
        ),
    ),
    forgetNodes: template(({ before }: { before: number }) => db.deleteFrom('ops_nodes').where('seen_at', '<', before)),
  };
}

type OpenRow = Pick<QuestionRow, 'tenant_id' | 'id' | 'kind' | 'mode' | 'session_id' | 'run_id' | 'created_at' | 'expires_at'>;

function toQuestion(row: OpenRow & { tool: string | null }): OpsQuestionRow {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    kind: row.kind,
    mode: row.mode,
    sessionId: row.session_id,
    runId: row.run_id,
    tool: row.tool ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function toSwitch(row: OpsSwitchRow): OpsSwitch {
  return {
    tenantId: row.tenant_id,
    name: row.name,
    reason: row.reason ?? undefined,
    changedBy: row.changed_by,
    changedAt: row.changed_at,
  };
}
