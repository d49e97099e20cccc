/**
 * Deletes the events of old runs. Once a run is old enough, its row gets `events_to_newest`: the number of events in this run and in the newer runs
 * of its session. So each run that is kept (usually most runs) is counted once.
 */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import type { RunRow } from '../runs/run_rows';

const MAX_EXPIRED_RUNS = 500;

/** Must equal the conditions of the partial indexes `runs_by_expiry`, `runs_uncounted`, `runs_with_events` and `runs_expiring`, or SQLite does not use them. */
const HAS_EVENTS = sql.raw<SqlBool>('events_expired = 0');
const IS_EXPIRING = sql.raw<SqlBool>('events_expired = 2');
const HAS_ENDED = sql.raw<SqlBool>('ended_at is not null');
const IS_TERMINAL = sql.raw<SqlBool>("status not in ('queued', 'running', 'waiting')");

type RunKey = Pick<RunRow, 'tenant_id' | 'id'>;
type SessionKey = Pick<RunRow, 'tenant_id' | 'session_id'>;

export class EventExpiry extends sqlTable(statements) {
  /** Deletes old events. Resolves how many runs lost their events, and whether another call has work left. */
  async expire(before: number, keepPerSession: number, size: number): Promise<{ expired: number; isMore: boolean }> {
    const begun = await this.runner.rows(this.statements.expiring({}));
    if (begun.length > 0) return { expired: await this.expireRuns(begun, size), isMore: true };
    const uncounted = await this.runner.rows(this.statements.uncounted({ before, limit: size }));
    for (const session of distinctSessions(uncounted)) await this.runner.changes(this.statements.count({ ...session, before }));
    // Counting many runs is a part of its own.
    if (uncounted.length === size) return { expired: 0, isMore: true };
    const runs = await this.runner.rows(this.statements.expirable({ before, keep: keepPerSession }));
    return { expired: await this.expireRuns(runs, size), isMore: runs.length > 0 };
  }

  /** Deletes events of ended runs of the session, whatever their age. Resolves false when there are none. */
  async expireSession(tenantId: string, sessionId: string, size: number): Promise<boolean> {
    const session = { tenant_id: tenantId, session_id: sessionId };
    const begun = await this.runner.rows(this.statements.expiringOfSession(session));
    const runs = begun.length > 0 ? begun : await this.runner.rows(this.statements.ofSession(session));
    await this.expireRuns(runs, size);
    return runs.length > 0;
  }

  /**
   * Deletes at most `size` rows, so that a long run needs several calls: the last events first, so that a reader in the middle of the run
   * sees no gap. Resolves how many runs lost all their events.
   */
  private async expireRuns(runs: readonly RunKey[], size: number): Promise<number> {
    let expired = 0;
    let limit = size;
    for (const run of runs) {
      limit -= await this.runner.changes(this.statements.deleteEvents({ ...run, limit }));
      const isDone = limit > 0;
      await this.runner.changes(this.statements.mark({ ...run, events_expired: isDone ? 1 : 2 }));
      if (!isDone) break;
      expired += 1;
    }
    return expired;
  }
}

function distinctSessions(runs: readonly SessionKey[]): SessionKey[] {
  return [...new Map(runs.map(run => [JSON.stringify([run.tenant_id, run.session_id]), run])).values()];
}

function statements(db: Kysely<Schema>) {
  const expirable = db.selectFrom('runs').where(HAS_EVENTS).where(HAS_ENDED).where(IS_TERMINAL);
  return {
    uncounted: template(({ before, limit }: { before: number; limit: number }) =>
      expirable
        .select(['tenant_id', 'session_id'])
        .where('events_to_newest', 'is', null)
        .where('ended_at', '<', before)
        .orderBy('ended_at')
        .limit(limit),
    ),
    count: countSession(db),
    // Sorts by the largest sum, so that a session loses its oldest runs first.
    expirable: template(({ before, keep }: { before: number; keep: number }) =>
      expirable
        .select(['tenant_id', 'id'])
        .where('events_to_newest', '>', keep)
        .where('ended_at', '<', before)
        .orderBy('events_to_newest', 'desc')
        .limit(sql.lit(MAX_EXPIRED_RUNS)),
    ),
    expiring: template((_: object) =>
      db.selectFrom('runs').select(['tenant_id', 'id']).where(IS_EXPIRING).limit(sql.lit(MAX_EXPIRED_RUNS)),
    ),
    expiringOfSession: template((session: SessionKey) =>
      db
        .selectFrom('runs')
        .select(['tenant_id', 'id'])
        .where(IS_EXPIRING)
        .where('tenant_id', '=', session.tenant_id)
        .where('session_id', '=', session.session_id),
    ),
    ofSession: template((session: SessionKey) =>
      db
        .selectFrom('runs')
        .select(['tenant_id', 'id'])
        .where(HAS_EVENTS)
        .where(IS_TERMINAL)
        .where('tenant_id', '=', session.tenant_id)
        .where('session_id', '=', session.session_id)
        .orderBy('ordinal')
        .limit(sql.lit(MAX_EXPIRED_RUNS)),
    ),
    deleteEvents: template((run: RunKey & { limit: number }) =>
      db
        .deleteFrom('run_events')
        .where('tenant_id', '=', run.tenant_id)
        .where('run_id', '=', run.id)
        .where('last_seq', 'in', eb =>
          eb
            .selectFrom('run_events')
            .select('last_seq')
            .where('tenant_id', '=', run.tenant_id)
            .where('run_id', '=', run.id)
            .orderBy('last_seq', 'desc')
            .limit(run.limit),
        ),
    ),
    mark: template((run: RunKey & Pick<RunRow, 'events_expired'>) =>
      db.updateTable('runs').set({ events_expired: run.events_expired }).where('tenant_id', '=', run.tenant_id).where('id', '=', run.id),
    ),
  };
}

/** Sets `events_to_newest` on each old run of a session. */
function countSession(db: Kysely<Schema>) {
  return template((session: SessionKey & { before: number }) =>
    db
      .updateTable('runs')
      .from(
        db
          .selectFrom('runs')
          .select(['id', sql<number>`sum(last_seq) over (order by ordinal desc)`.as('total')])
          .where('tenant_id', '=', session.tenant_id)
          .where('session_id', '=', session.session_id)
          .where(HAS_EVENTS)
          .as('counted'),
      )
      .set(eb => ({ events_to_newest: eb.ref('counted.total') }))
      .where('runs.tenant_id', '=', session.tenant_id)
      .whereRef('runs.id', '=', 'counted.id')
      .where('runs.ended_at', '<', session.before)
      .where('runs.events_to_newest', 'is distinct from', eb => eb.ref('counted.total')),
  );
}
