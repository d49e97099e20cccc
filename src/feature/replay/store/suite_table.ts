/** Queries about the cases of suites. */
import { type Kysely, sql } from 'kysely';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { PageRequest } from '../../../port/store/page';
import type { CaseOutcome, SuiteCaseRecord, SuiteCount } from './suite_records';

const CASES = defineTable<SuiteCaseRecord>()('suite_cases', {
  tenant_id: 'text',
  id: 'text',
  suite: 'text',
  title: 'text',
  run_id: 'text',
  session_id: 'text?',
  agent: 'text',
  checks: 'json',
  recorded: 'json',
  key_name: 'text',
  created_at: 'number',
  outcome: 'json?',
});
const CASES_ALONE = CASES.without('recorded');

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    suite_cases: RowOf<typeof CASES>;
  }
}

const ORDER: ListOrder = { list: 'suite_cases', columns: ['created_at', 'id'], second: 'string', direction: 'asc' };

export class SuiteTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), CASES.toRecord);
  }

  cases(tenantId: string) {
    return this.records(this.statements.cases({ tenant_id: tenantId }), CASES_ALONE.toRecord);
  }

  async counts(tenantId: string): Promise<SuiteCount[]> {
    const rows = await this.runner.rows(
      this.db
        .selectFrom('suite_cases')
        .select(['suite', sql<number>`count(*)`.as('count')])
        .where('tenant_id', '=', tenantId)
        .groupBy('suite')
        .compile(),
    );
    return rows.map(({ suite, count }) => ({ suite, count: Number(count) }));
  }

  list(tenantId: string, page: PageRequest) {
    const rows = this.db.selectFrom('suite_cases').select(CASES.columns).where('tenant_id', '=', tenantId);
    return readPage(this.runner, rows, { order: ORDER, long: ['recorded'], toRecord: CASES.toRecord }, page);
  }

  async insert(suiteCase: SuiteCaseRecord): Promise<void> {
    await this.statements.insert(this.runner, [suiteCase]);
  }

  setOutcome(tenantId: string, id: string, outcome: CaseOutcome): Promise<void> {
    return this.execute(this.statements.setOutcome({ tenant_id: tenantId, id, outcome: JSON.stringify(outcome) }));
  }

  deleteCase(tenantId: string, suite: string, id: string) {
    return this.hasChanged(this.statements.deleteCase({ tenant_id: tenantId, suite, id }));
  }

  deleteSuite(tenantId: string, suite: string) {
    return this.hasChanged(this.statements.deleteSuite({ tenant_id: tenantId, suite }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, CASES, 'tenant_id', 'id'),
    cases: template((key: { tenant_id: string }) =>
      db
        .selectFrom('suite_cases')
        .select(CASES_ALONE.columns)
        .where('tenant_id', '=', key.tenant_id)
        .orderBy('suite')
        .orderBy('created_at')
        .orderBy('id'),
    ),
    insert: insertInto(db, CASES),
    setOutcome: template((change: { tenant_id: string; id: string; outcome: string }) =>
      db.updateTable('suite_cases').set({ outcome: change.outcome }).where('tenant_id', '=', change.tenant_id).where('id', '=', change.id),
    ),
    deleteCase: deleteBy(db, CASES, 'tenant_id', 'suite', 'id'),
    deleteSuite: deleteBy(db, CASES, 'tenant_id', 'suite'),
  };
}
