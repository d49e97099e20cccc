/** Queries about the counters of rate limits. */
import { type Kysely, sql } from 'kysely';
import type { PointRequest, TakenPoints } from '../../../port/store/rate_counters';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { selectBy, upsertInto } from '../base/table_statements';

const COUNTERS = defineTable<{ id: string; points: number; expiresAt: number }>()('rate_counters', {
  id: 'text',
  points: 'number',
  expires_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    rate_counters: RowOf<typeof COUNTERS>;
  }
}

export class RateCounterTable extends sqlTable(statements) {
  async take({ id, wanted, limit, windowMs, now }: PointRequest): Promise<TakenPoints> {
    const [row] = await this.runner.rows(this.statements.get({ id }));
    const isOpen = row !== undefined && row.expires_at > now;
    const before = isOpen ? row.points : 0;
    const expiresAt = isOpen ? row.expires_at : now + windowMs;
    const taken = Math.max(0, Math.min(wanted, limit - before));
    const points = before + taken;
    if (taken > 0) await this.statements.put(this.runner, [{ id, points, expiresAt }]);
    return { taken, points, expiresAt };
  }

  giveBack(id: string, points: number, expiresAt: number) {
    return this.execute(this.statements.giveBack({ id, points, expires_at: expiresAt }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, COUNTERS, 'id'),
    put: upsertInto(db, COUNTERS, ['id']),
    giveBack: template(({ id, points, expires_at }: RowOf<typeof COUNTERS>) =>
      db
        .updateTable('rate_counters')
        .set({ points: sql<number>`points - ${points}` })
        .where('id', '=', id)
        .where('expires_at', '=', expires_at),
    ),
  };
}
