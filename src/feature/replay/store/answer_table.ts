/** Queries about kept answers of replays. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { ReplayAnswerRecord } from './answer_records';

const ANSWERS = defineTable<ReplayAnswerRecord>()('replay_answers', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text?',
  owner: 'text',
  answer: 'json?',
  created_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    replay_answers: RowOf<typeof ANSWERS>;
  }
}

export class ReplayAnswerTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), ANSWERS.toRecord);
  }

  async insert(record: ReplayAnswerRecord): Promise<void> {
    await this.statements.insert(this.runner, [record]);
  }

  setAnswer(tenantId: string, id: string, answer: object): Promise<void> {
    return this.execute(this.statements.setAnswer({ tenant_id: tenantId, id, answer: JSON.stringify(answer) }));
  }

  delete(tenantId: string, id: string): Promise<void> {
    return this.execute(this.statements.delete({ tenant_id: tenantId, id }));
  }

  deleteBefore(createdAt: number): Promise<void> {
    return this.execute(this.statements.deleteBefore({ before: createdAt }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, ANSWERS, 'tenant_id', 'id'),
    insert: insertInto(db, ANSWERS),
    setAnswer: template((change: { tenant_id: string; id: string; answer: string }) =>
      db.updateTable('replay_answers').set({ answer: change.answer }).where('tenant_id', '=', change.tenant_id).where('id', '=', change.id),
    ),
    delete: deleteBy(db, ANSWERS, 'tenant_id', 'id'),
    deleteBefore: template((key: { before: number }) => db.deleteFrom('replay_answers').where('created_at', '<', key.before)),
  };
}
