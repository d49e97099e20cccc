/** Queries about steering messages. The table is called `steers`. */
import { type Kysely, sql } from 'kysely';
import type { SteeringMessage } from '../../port/store/steering_messages';
import { pick, template } from './query_template';
import type { Schema, SteeringMessageRow } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'id', 'session_id', 'run_id', 'text', 'created_at', 'taken_at'] as const;

/** A new row: the insert computes its position in the run. */
type NewSteeringMessageRow = Pick<SteeringMessageRow, (typeof COLUMNS)[number]>;

export class SteeringMessageTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async pending(tenantId: string, runId: string): Promise<SteeringMessage[]> {
    return (await this.runner.rows(this.statements.pending({ tenant_id: tenantId, run_id: runId }))).map(toRecord);
  }

  async countPending(tenantId: string, runId: string): Promise<{ count: number; bytes: number }> {
    const [row] = await this.runner.rows(this.statements.countPending({ tenant_id: tenantId, run_id: runId }));
    return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  async insert(message: SteeringMessage): Promise<void> {
    await this.runner.changes(this.statements.insert(toRow(message)));
  }

  async take(tenantId: string, ids: readonly string[], takenAt: number): Promise<number> {
    let taken = 0;
    for (const id of ids) taken += await this.runner.changes(this.statements.take({ tenant_id: tenantId, id, taken_at: takenAt }));
    return taken;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    pending: template((key: Pick<SteeringMessageRow, 'tenant_id' | 'run_id'>) =>
      db
        .selectFrom('steers')
        .select(COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('run_id', '=', key.run_id)
        .where('taken_at', 'is', null)
        .orderBy('position'),
    ),
    countPending: template((key: Pick<SteeringMessageRow, 'tenant_id' | 'run_id'>) =>
      db
        .selectFrom('steers')
        .select(eb => [eb.fn.countAll<number>().as('count'), sql<number | null>`sum(octet_length(text))`.as('bytes')])
        .where('tenant_id', '=', key.tenant_id)
        .where('run_id', '=', key.run_id)
        .where('taken_at', 'is', null),
    ),
    insert: template((row: NewSteeringMessageRow) =>
      db.insertInto('steers').values(eb => ({
        ...pick(row, COLUMNS),
        position: eb
          .selectFrom('steers')
          .select(sql<number>`coalesce(max(position), 0) + 1`.as('position'))
          .where('tenant_id', '=', row.tenant_id)
          .where('run_id', '=', row.run_id),
      })),
    ),
    take: template((message: Pick<SteeringMessageRow, 'tenant_id' | 'id'> & { taken_at: number }) =>
      db
        .updateTable('steers')
        .set({ taken_at: message.taken_at })
        .where('tenant_id', '=', message.tenant_id)
        .where('id', '=', message.id)
        .where('taken_at', 'is', null),
    ),
  };
}

function toRow(record: SteeringMessage): NewSteeringMessageRow {
  return {
    tenant_id: record.tenantId,
    id: record.id,
    session_id: record.sessionId,
    run_id: record.runId,
    text: record.text,
    created_at: record.createdAt,
    taken_at: record.takenAt ?? null,
  };
}

function toRecord(row: NewSteeringMessageRow): SteeringMessage {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    sessionId: row.session_id,
    runId: row.run_id,
    text: row.text,
    createdAt: row.created_at,
    takenAt: row.taken_at ?? undefined,
  };
}
