/**
 * Deletes the events of old runs. Once a run is old enough, its row gets `events_to_newest`: the number of events in it and in the newer runs of
 * its session. Runs that are kept, usually most of them, are therefore counted once.
 */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type Runner, template } from './query_template';
import type { RunRow, Schema } from './schema';

/** Limits of one call: statements hold the event loop. */
const MAX_COUNTED_RUNS = 300;
const MAX_EXPIRED_RUNS = 500;
const MAX_EVENT_ROWS = 2_000;

/** Must equal the conditions of the partial indexes `runs_by_expiry` and `runs_with_events`, or SQLite does not use them. */
const HAS_EVENTS = sql.raw<SqlBool>('events_expired = 0');
const HAS_ENDED = sql.raw<SqlBool>('ended_at is not null');
const IS_TERMINAL = sql.raw<SqlBool>("status not in ('queued', 'running', 'waiting')");

type RunKey = Pick<RunRow, 'tenant_id' | 'id'>;
type SessionKey = Pick<RunRow, 'tenant_id' | 'session_id'>;

export class EventExpiry {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  /** Resolves how many runs lost their events, and whether another call has work left. */
  async expire(runner: Runner, before: number, keepPerSession: number): Promise<{ expired: number; isMore: boolean }> {
    const uncounted = await runner.rows(this.statements.uncounted({ before }));
    for (const session of distinctSessions(uncounted)) await runner.changes(this.statements.count({ ...session, before }));
    const runs = await runner.rows(this.statements.expirable({ before, keep: keepPerSession }));
    const expired = await this.expireRuns(runner, runs);
    return { expired, isMore: expired > 0 || uncounted.length === MAX_COUNTED_RUNS };
  }

  /** Deletes the events of some ended runs of the session, whatever their age. Resolves how many runs lost their events. */
  async expireSession(runner: Runner, tenantId: string, sessionId: string): Promise<number> {
    return this.expireRuns(runner, await runner.rows(this.statements.ofSession({ tenant_id: tenantId, session_id: sessionId })));
  }

  private async expireRuns(runner: Runner, runs: readonly RunKey[]): Promise<number> {
    let expired = 0;
    let deletedRows = 0;
    for (const run of runs) {
      deletedRows += await runner.changes(this.statements.deleteEvents(run));
      expired += await runner.changes(this.statements.mark(run));
      if (deletedRows >= MAX_EVENT_ROWS) break;
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
    uncounted: template(({ before }: { before: number }) =>
      expirable
        .select(['tenant_id', 'session_id'])
        .where('events_to_newest', 'is', null)
        .where('ended_at', '<', before)
        .orderBy('ended_at')
        .limit(sql.lit(MAX_COUNTED_RUNS)),
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
    deleteEvents: template((run: RunKey) =>
      db.deleteFrom('run_events').where('tenant_id', '=', run.tenant_id).where('run_id', '=', run.id),
    ),
    mark: template((run: RunKey) =>
      db
        .updateTable('runs')
        .set({ events_expired: sql.lit(1) })
        .where('tenant_id', '=', run.tenant_id)
        .where('id', '=', run.id),
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
