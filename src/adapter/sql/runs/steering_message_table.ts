/** Queries about steering messages. The table is called `steers`. */
import { type Kysely, sql } from 'kysely';
import type { SteeringMessage } from '../../../port/store/steering_messages';
import { defineTable, type RowOf } from '../base/define_table';
import { pick, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';

/** `position`: numbers the messages of a run from 1, in the order of the inserts; the insert computes the number. */
const MESSAGES = defineTable<SteeringMessage>()('steers', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text',
  run_id: 'text',
  text: 'text',
  written_by: 'text?',
  images: 'json?',
  files: 'json?',
  metadata: 'json?',
  created_at: 'number',
  taken_at: 'number?',
});
type Row = RowOf<typeof MESSAGES>;

declare module '../base/schema' {
  interface Schema {
    steers: RowOf<typeof MESSAGES> & { position: number };
  }
}

export class SteeringMessageTable extends sqlTable(statements) {
  pending(tenantId: string, runId: string) {
    return this.records(this.statements.pending({ tenant_id: tenantId, run_id: runId }), MESSAGES.toRecord);
  }

  async countPending(tenantId: string, runId: string): Promise<{ count: number; bytes: number }> {
    const [row] = await this.runner.rows(this.statements.countPending({ tenant_id: tenantId, run_id: runId }));
    return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  async writersOf(tenantId: string, runId: string): Promise<string[]> {
    const rows = await this.runner.rows(this.statements.writersOf({ tenant_id: tenantId, run_id: runId }));
    return rows.flatMap(({ written_by }) => written_by ?? []);
  }

  insert(message: SteeringMessage) {
    return this.execute(this.statements.insert(MESSAGES.toRow(message)));
  }

  async take(tenantId: string, ids: readonly string[], takenAt: number): Promise<number> {
    let taken = 0;
    for (const id of ids) taken += await this.runner.changes(this.statements.take({ tenant_id: tenantId, id, taken_at: takenAt }));
    return taken;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    pending: template((key: Pick<Row, 'tenant_id' | 'run_id'>) =>
      db
        .selectFrom('steers')
        .select(MESSAGES.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('run_id', '=', key.run_id)
        .where('taken_at', 'is', null)
        .orderBy('position'),
    ),
    countPending: template((key: Pick<Row, 'tenant_id' | 'run_id'>) =>
      db
        .selectFrom('steers')
        .select(eb => [eb.fn.countAll<number>().as('count'), sql<number | null>`sum(octet_length(text))`.as('bytes')])
        .where('tenant_id', '=', key.tenant_id)
        .where('run_id', '=', key.run_id)
        .where('taken_at', 'is', null),
    ),
    writersOf: template((key: Pick<Row, 'tenant_id' | 'run_id'>) =>
      db
        .selectFrom('steers')
        .select('written_by')
        .distinct()
        .where('tenant_id', '=', key.tenant_id)
        .where('run_id', '=', key.run_id)
        .where('taken_at', 'is not', null),
    ),
    insert: template((row: Row) =>
      db.insertInto('steers').values(eb => ({
        ...pick(row, MESSAGES.columns),
        position: eb
          .selectFrom('steers')
          .select(sql<number>`coalesce(max(position), 0) + 1`.as('position'))
          .where('tenant_id', '=', row.tenant_id)
          .where('run_id', '=', row.run_id),
      })),
    ),
    take: template((message: Pick<Row, 'tenant_id' | 'id'> & { taken_at: number }) =>
      db
        .updateTable('steers')
        .set({ taken_at: message.taken_at })
        .where('tenant_id', '=', message.tenant_id)
        .where('id', '=', message.id)
        .where('taken_at', 'is', null),
    ),
  };
}
