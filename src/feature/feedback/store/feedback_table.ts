/** Queries about ratings of answers. */
import { type Kysely, sql } from 'kysely';
import { type ListOrder, readPage } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, selectBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import type { Page, PageRequest } from '../../../port/store/page';
import type { FeedbackCount, FeedbackFilter, FeedbackRecord, FeedbackScope, Rating } from './feedback_records';

const FEEDBACK = defineTable<FeedbackRecord>()('feedback', {
  tenant_id: 'text',
  id: 'text',
  run_id: 'text',
  session_id: 'text',
  key_name: 'text',
  rating: 'text',
  text: 'text?',
  agent: 'text',
  model: 'text',
  created_at: 'number',
  updated_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    feedback: RowOf<typeof FEEDBACK>;
  }
}

const ORDER: ListOrder = { list: 'feedback', columns: ['updated_at', 'id'], second: 'string', direction: 'desc' };

export class FeedbackTable extends sqlTable(statements) {
  find(tenantId: string, runId: string, keyName: string) {
    return this.record(this.statements.find({ tenant_id: tenantId, run_id: runId, key_name: keyName }), FEEDBACK.toRecord);
  }

  list(scope: FeedbackScope, filter: FeedbackFilter, page: PageRequest): Promise<Page<FeedbackRecord>> {
    const query = this.rowsOf(scope, filter).select(FEEDBACK.columns);
    return readPage(this.runner, query, { order: ORDER, long: ['text'], toRecord: FEEDBACK.toRecord }, page);
  }

  async count(scope: FeedbackScope, since: number): Promise<FeedbackCount[]> {
    const names = ['tenant_id', 'agent', 'model'] as const;
    const query = this.rowsOf(scope, { since })
      .select([...names, timesRated('up').as('up'), timesRated('down').as('down')])
      .groupBy(names)
      .orderBy('tenant_id')
      .orderBy('agent')
      .orderBy('model');
    const rows = await this.runner.rows(query.compile());
    return rows.map(({ tenant_id, up, down, ...row }) => ({ tenantId: tenant_id, ...row, up: Number(up), down: Number(down) }));
  }

  async put(feedback: FeedbackRecord): Promise<void> {
    await this.statements.put(this.runner, [feedback]);
  }

  delete(tenantId: string, runId: string, keyName: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, run_id: runId, key_name: keyName }));
  }

  private rowsOf({ tenantId }: FeedbackScope, { rating, agent, model, keyName, sessionId, since, until }: FeedbackFilter) {
    let rows = this.db.selectFrom('feedback');
    if (tenantId !== undefined) rows = rows.where('tenant_id', '=', tenantId);
    if (rating !== undefined) rows = rows.where('rating', '=', rating);
    if (agent !== undefined) rows = rows.where('agent', '=', agent);
    if (model !== undefined) rows = rows.where('model', '=', model);
    if (keyName !== undefined) rows = rows.where('key_name', '=', keyName);
    if (since !== undefined) rows = rows.where('updated_at', '>=', since);
    if (until !== undefined) rows = rows.where('updated_at', '<', until);
    if (sessionId !== undefined)
      rows = rows.where(({ eb, or }) => or([eb('session_id', '=', sessionId), inBranchOf(sessionId), isCopiedInto(sessionId)]));
    return rows;
  }
}

/** True for rows of the other branches of the chat. */
const inBranchOf = (sessionId: string) => sql<boolean>`session_id in (
  select branch.id from sessions as shown join sessions as branch on branch.tenant_id = shown.tenant_id and branch.root_session_id = shown.root_session_id
  where shown.tenant_id = feedback.tenant_id and shown.id = ${sessionId}
)`;

/** True for rows of the turns that were copied into the session. */
const isCopiedInto = (sessionId: string) => sql<boolean>`run_id in (
  select run_id from messages where messages.tenant_id = feedback.tenant_id and messages.session_id = ${sessionId} and messages.run_ordinal = 0
)`;

const timesRated = (rating: Rating) => sql<number>`sum(case when rating = ${sql.lit(rating)} then 1 else 0 end)`;

function statements(db: Kysely<Schema>) {
  return {
    find: selectBy(db, FEEDBACK, 'tenant_id', 'run_id', 'key_name'),
    put: upsertInto(db, FEEDBACK, ['tenant_id', 'run_id', 'key_name']),
    delete: deleteBy(db, FEEDBACK, 'tenant_id', 'run_id', 'key_name'),
  };
}
