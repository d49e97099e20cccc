/** The compiled queries about leases: runs of a node, runs without an owner that lives, and runs whose callers waited at a node that has died. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
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
  const owned = db
    .selectFrom('runs')
    .select(['tenant_id', 'id', 'cancel_requested', 'cancelled_by'])
    .where(IS_ACTIVE)
    .where('lease_until', '=', OF_NODE);
  const active = db.selectFrom('runs').select(RUN_STATES.columns).where(IS_ACTIVE);
  const unfinished = db.selectFrom('runs').select(RUN_STATES.columns).where(isUnfinished);
  return {
    ownedBy: template(({ owner }: { owner: string }) => owned.where('owner', '=', owner)),
    cancelledOf: template(({ owner }: { owner: string }) => owned.where('owner', '=', owner).where('cancel_requested', '=', sql.lit(1))),
    expired: template(({ now }: { now: number }) =>
      active.where(sql<SqlBool>`(lease_until is null or lease_until <= ${storeTime(db, now)})`).limit(MAX_RUNS),
    ),
    lostOwners: lostNodes(db, 'owner'),
    ofOwner: template(({ node }: { node: string }) => active.where('lease_until', '=', OF_NODE).where('owner', '=', node).limit(MAX_RUNS)),
    left: template(({ now }: { now: number }) =>
      unfinished
        .select(sql<0 | 1>`case when caller_until <= ${storeTime(db, now)} then 1 else 0 end`.as('is_over'))
        .where('caller_until', '<', OF_NODE)
        .where(sql<SqlBool>`(caller_at is null or caller_until <= ${storeTime(db, now)})`)
        .limit(MAX_RUNS),
    ),
    lostCallers: lostNodes(db, 'caller_at'),
    ofCaller: template(({ node }: { node: string }) =>
      unfinished.where('caller_until', '=', OF_NODE).where('caller_at', '=', node).limit(MAX_RUNS),
    ),
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
 * Selects the nodes that the column names and that have no lease. Finds each node by the one before it, in the index of the column, so that the number of
 * runs does not matter.
 */
function lostNodes(db: Kysely<Schema>, column: 'owner' | 'caller_at') {
  const node = sql.ref(`runs.${column}`);
  const isLeased = column === 'owner' ? sql`${IS_ACTIVE} and lease_until = ${OF_NODE}` : sql`${isUnfinished} and caller_until = ${OF_NODE}`;
  const next = (after: RawBuilder<unknown>) => sql`(select ${node} from runs where ${isLeased} and ${after} order by ${node} limit 1)`;
  return template(({ now }: { now: number }) => ({
    compile: () =>
      sql<{ name: string }>`
        with recursive nodes (name) as (
          select ${next(sql`${node} is not null`)}
          union all
          select ${next(sql`${node} > nodes.name`)} from nodes where nodes.name is not null
        )
        select name from nodes where name is not null
          and not exists (select 1 from node_leases where node_leases.owner = nodes.name and node_leases.lease_until > ${storeTime(db, now)})
      `.compile(db),
  }));
}
