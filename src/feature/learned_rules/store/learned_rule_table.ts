/** Queries about proposed rules and the approvals behind them. */
import type { Kysely } from 'kysely';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { upsertInto } from '../../../adapter/sql/base/table_statements';
import type { Page, PageRequest } from '../../../port/store/page';
import type { DecidedApproval, LearnedRuleRecord } from './learned_rule_records';

const DECISIONS = defineTable<LearnedRuleRecord>()('learned_rules', {
  tenant_id: 'text',
  id: 'text',
  state: 'text',
  rule: 'json?',
  based_on: 'number',
  decided_by: 'text',
  decided_at: 'number',
});

const APPROVALS = defineTable<DecidedApproval>()('clarifications', {
  id: 'text',
  session_id: 'text',
  approval: 'json?',
  answer: 'text?',
  created_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    learned_rules: RowOf<typeof DECISIONS>;
  }
}

const ORDER: ListOrder = { list: 'decided_approvals', columns: ['created_at', 'id'], second: 'string', direction: 'desc' };

export class LearnedRuleTable extends sqlTable(statements) {
  listDecisions(tenantId: string) {
    return this.records(this.statements.decisions({ tenant_id: tenantId }), DECISIONS.toRecord);
  }

  listApprovals(tenantId: string, { since }: { since: number }, page: PageRequest): Promise<Page<DecidedApproval>> {
    const rows = this.db
      .selectFrom('clarifications')
      .select(APPROVALS.columns)
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', 'approval')
      .where('status', '=', 'answered')
      .where('created_at', '>=', since);
    return readPage(this.runner, rows, { order: ORDER, long: ['approval', 'answer'], toRecord: APPROVALS.toRecord }, page);
  }

  async put(record: LearnedRuleRecord): Promise<void> {
    await this.statements.put(this.runner, [record]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    decisions: template((key: { tenant_id: string }) =>
      db
        .selectFrom('learned_rules')
        .select(DECISIONS.columns)
        .where('tenant_id', '=', key.tenant_id)
        .orderBy('decided_at', 'desc')
        .orderBy('id'),
    ),
    put: upsertInto(db, DECISIONS, ['tenant_id', 'id']),
  };
}
