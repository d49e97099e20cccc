/** Queries about the counters of rate limits. */
import { type Kysely, sql } from 'kysely';
import type { PointRequest, TakenPoints } from '../../port/store/rate_counters';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';
import type { RateCounterRow } from './usage_rows';

const COLUMNS = ['id', 'points', 'expires_at'] as const;

export class RateCounterTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async take({ id, wanted, limit, windowMs, now }: PointRequest): Promise<TakenPoints> {
    const [row] = await this.runner.rows(this.statements.get({ id }));
    const isOpen = row !== undefined && row.expires_at > now;
    const before = isOpen ? row.points : 0;
    const expiresAt = isOpen ? row.expires_at : now + windowMs;
    const taken = Math.max(0, Math.min(wanted, limit - before));
    const points = before + taken;
    if (taken > 0) await this.statements.put(this.runner, [{ id, points, expires_at: expiresAt }]);
    return { taken, points, expiresAt };
  }

  async giveBack(id: string, points: number, expiresAt: number): Promise<void> {
    await this.runner.changes(this.statements.giveBack({ id, points, expires_at: expiresAt }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template(({ id }: Pick<RateCounterRow, 'id'>) => db.selectFrom('rate_counters').select(COLUMNS).where('id', '=', id)),
    put: insertRows<RateCounterRow>(COLUMNS, rows =>
      db
        .insertInto('rate_counters')
        .values(rows)
        .onConflict(conflict =>
          conflict.column('id').doUpdateSet(eb => ({ points: eb.ref('excluded.points'), expires_at: eb.ref('excluded.expires_at') })),
        ),
    ),
    giveBack: template(({ id, points, expires_at }: RateCounterRow) =>
      db
        .updateTable('rate_counters')
        .set({ points: sql<number>`points - ${points}` })
        .where('id', '=', id)
        .where('expires_at', '=', expires_at),
    ),
  };
}
