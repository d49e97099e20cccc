/** The compiled queries about leases: runs of a node, runs without an owner that lives, and runs whose callers waited at a node that has died. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { WITH_NODE_LEASE } from '../../../port/store/node_leases';
import { RUNS_PER_READ } from '../../../port/store/runs';
import { storeTime } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { RUN_STATES, type RunRow } from './run_rows';
import { IS_ACTIVE, isUnfinished } from './run_statements';

const MAX_RUNS = sql.lit(RUNS_PER_READ);
const OF_NODE = sql.lit(WITH_NODE_LEASE);

export function leaseStatements(db: Kysely<Schema>) {
  const owned = db.selectFrom('runs').select(['tenant_id', 'id', 'cancel_requested']).where(IS_ACTIVE).where('lease_until', '=', OF_NODE);
  return {
    ownedBy: template(({ owner }: { owner: string }) => owned.where('owner', '=', owner)),
    cancelledOf: template(({ owner }: { owner: string }) => owned.where('owner', '=', owner).where('cancel_requested', '=', sql.lit(1))),
    orphaned: template(({ now }: { now: number }) => {
      const active = db.selectFrom('runs').select(RUN_STATES.columns).where(IS_ACTIVE);
      const expired = active.where(sql<SqlBool>`(lease_until is null or lease_until <= ${storeTime(db, now)})`);
      const lost = active.where('lease_until', '=', OF_NODE).where(isOfLostNode(db, 'owner', now));
      return expired.unionAll(lost).orderBy('created_at').orderBy('id').limit(MAX_RUNS);
    }),
    leftByCallers: template(({ now }: { now: number }) => {
      const isOver = sql<0 | 1>`case when caller_until <= ${storeTime(db, now)} then 1 else 0 end`.as('is_over');
      const unfinished = db.selectFrom('runs').select(RUN_STATES.columns).select(isOver).where(isUnfinished);
      const alone = unfinished.where('caller_until', '<', OF_NODE);
      const left = alone.where(sql<SqlBool>`(caller_at is null or caller_until <= ${storeTime(db, now)})`);
      const lost = unfinished.where('caller_until', '=', OF_NODE).where(isOfLostNode(db, 'caller_at', now));
      return left.unionAll(lost).orderBy('created_at').orderBy('id').limit(MAX_RUNS);
    }),
    loseCallers: template((param: Pick<RunRow, 'tenant_id' | 'id' | 'caller_at'> & { now: number; grace_ms: number }) =>
      db
        .updateTable('runs')
        .set({ caller_at: null, caller_until: sql<number>`${storeTime(db, param.now)} + ${param.grace_ms}` })
        .where('tenant_id', '=', param.tenant_id)
        .where('id', '=', param.id)
        .where(isUnfinished)
        .where(sql<SqlBool>`coalesce(caller_at, '') = coalesce(${param.caller_at}, '')`),
    ),
  };
}

/**
 * Selects the runs whose node has no lease. Finds each node that the column names by the one before it, in the index of the column, so that the number
 * of runs does not matter.
 */
function isOfLostNode(db: Kysely<Schema>, column: 'owner' | 'caller_at', now: number) {
  const node = sql.ref(`runs.${column}`);
  const isLeased = column === 'owner' ? sql`${IS_ACTIVE} and lease_until = ${OF_NODE}` : sql`${isUnfinished} and caller_until = ${OF_NODE}`;
  return sql<SqlBool>`${node} in (
    with recursive nodes (name) as (
      select min(${node}) from runs where ${isLeased}
      union all
      select (select min(${node}) from runs where ${isLeased} and ${node} > nodes.name) from nodes where nodes.name is not null
    )
    select name from nodes where name is not null
      and not exists (select 1 from node_leases where node_leases.owner = nodes.name and node_leases.lease_until > ${storeTime(db, now)})
  )`;
}
