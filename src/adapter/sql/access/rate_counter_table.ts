/** Queries about the counters of rate limits. */
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../../errors';
import type { PointRequest, TakenPoints } from '../../../port/store/rate_counters';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';

type CounterRow = { id: string; points: number; expires_at: number; taken: number };

declare module '../base/schema' {
  interface Schema {
    /** `taken`: points that the newest request took. The statement that takes points returns the column. */
    rate_counters: CounterRow;
  }
}

export class RateCounterTable extends sqlTable(statements) {
  async take({ id, wanted, limit, windowMs, now }: PointRequest): Promise<TakenPoints> {
    const first = Math.max(0, Math.min(wanted, limit));
    const [row] = await this.runner.rows(this.statements.take({ id, wanted, limit, first, now, expires_at: now + windowMs }));
    if (!row)
      throw new AppError('internal', { message: `The rate counter ${id} was not stored.`, messageZh: `限流计数器 ${id} 未能保存。` });
    return { taken: row.taken, points: row.points, expiresAt: row.expires_at };
  }

  giveBack(id: string, points: number, expiresAt: number) {
    return this.execute(this.statements.giveBack({ id, points, expires_at: expiresAt }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    take: takeStatement(db),
    giveBack: template(({ id, points, expires_at }: Omit<CounterRow, 'taken'>) =>
      db
        .updateTable('rate_counters')
        .set({ points: sql<number>`points - ${points}` })
        .where('id', '=', id)
        .where('expires_at', '=', expires_at),
    ),
  };
}

/** `first`: points of a window that begins now. `expires_at`: its end. */
type Take = Pick<PointRequest, 'id' | 'wanted' | 'limit' | 'now'> & { first: number; expires_at: number };

/** One statement, because its lock of the row lasts until the commit: requests of other transactions wait and then see the new points. */
function takeStatement(db: Kysely<Schema>) {
  return template(({ id, wanted, limit, first, now, expires_at }: Take) => {
    const isOpen = sql`rate_counters.expires_at > ${now}`;
    const left = sql<number>`${limit} - rate_counters.points`;
    const taken = sql<number>`case when ${left} <= 0 then 0 when ${left} < ${wanted} then ${left} else ${wanted} end`;
    return db
      .insertInto('rate_counters')
      .values({ id, points: first, taken: first, expires_at })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet({
          points: sql<number>`case when ${isOpen} then rate_counters.points + ${taken} else excluded.points end`,
          taken: sql<number>`case when ${isOpen} then ${taken} else excluded.taken end`,
          expires_at: sql<number>`case when ${isOpen} then rate_counters.expires_at else excluded.expires_at end`,
        }),
      )
      .returning(['points', 'taken', 'expires_at']);
  });
}
