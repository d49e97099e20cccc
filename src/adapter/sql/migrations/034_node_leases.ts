/**
 * One lease for each node instead of one for each run. `lease_until` and `caller_until` of a run become 8640000000000000, a time far ahead, when the
 * lease of a node decides. A gateway of an earlier version that still runs goes on renewing a time for each of its runs.
 */
import { type Kysely, sql } from 'kysely';

const IS_ACTIVE = sql<boolean>`status in ('running', 'waiting')`;
const IS_UNFINISHED = sql<boolean>`status in ('queued', 'running', 'waiting')`;
const WITH_NODE_LEASE = sql.lit(8_640_000_000_000_000);

export async function createNodeLeases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('node_leases')
    .addColumn('owner', 'text', column => column.primaryKey())
    .addColumn('lease_until', 'bigint', column => column.notNull())
    .execute();
  await sql`
    insert into node_leases (owner, lease_until)
    select owner, max(lease_until) from (
      select owner, lease_until from runs where ${IS_ACTIVE} and owner is not null and lease_until > 0
      union all
      select caller_at as owner, caller_until as lease_until from runs where ${IS_UNFINISHED} and caller_at is not null and caller_until > 0
    ) as leases
    group by owner
  `.execute(db);
  // 0 is a released lease. A run without any lease waits for an owner in the same way.
  await sql`
    update runs set lease_until = case when owner is null or coalesce(lease_until, 0) = 0 then 0 else ${WITH_NODE_LEASE} end
    where ${IS_ACTIVE}
  `.execute(db);
  await sql`
    update runs set caller_until = ${WITH_NODE_LEASE} where ${IS_UNFINISHED} and caller_at is not null and caller_until > 0
  `.execute(db);
  await db.schema.createIndex('runs_leased').on('runs').columns(['lease_until', 'owner']).where(IS_ACTIVE).execute();
  await db.schema
    .createIndex('runs_with_callers')
    .on('runs')
    .columns(['caller_until', 'caller_at'])
    .where(sql<boolean>`caller_until is not null and status in ('queued', 'running', 'waiting')`)
    .execute();
}
