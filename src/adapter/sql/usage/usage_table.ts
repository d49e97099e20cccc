/** Queries about usage by day. The usage of an ended run stays with the run until a roll-up adds it to the sums of its day. */
import { type CompiledQuery, type Kysely, type SqlBool, sql } from 'kysely';
import { LOCAL_KEY_NAME } from '../../../port/principal';
import type { DayAmounts, DayUsage, UsageRange } from '../../../port/store/usage';
import { isPostgres, jsonItems, jsonText, unindexed } from '../base/dialect';
import { insertRows, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import type { RunRow } from '../runs/run_rows';
import { addUp } from './add_up';
import { unused } from './reserved_amounts';
import {
  DAY_MS,
  DAYS,
  KEYS,
  PENDING_COLUMNS,
  type PendingRow,
  SUMS,
  TOOL_DAYS,
  TOOL_KEYS,
  TOOL_SUMS,
  toDays,
  toToolDay,
  type UsageDayRow,
  type UsageToolDayRow,
} from './usage_rows';

/** Must equal the condition of the partial index `runs_usage_pending`, or SQLite does not use it. */
const IS_PENDING = sql<SqlBool>`usage_pending = 1`;
/** The day on which a run counts, in days since 1970. Both databases drop the rest when they divide whole numbers. */
const DAY = sql<number>`coalesce(run.ended_at, run.created_at) / ${sql.lit(DAY_MS)}`;

/** Must equal the condition of the partial index `runs_one_active`. */
const IS_ACTIVE = sql<SqlBool>`status in ('running', 'waiting')`;

/** The most runs that one roll-up adds: 1 to 2 ms, in which the event loop does nothing else. */
const MAX_RUNS = 200;

export class UsageTable extends sqlTable(statements) {
  async addCall(call: DayUsage): Promise<void> {
    await this.statements.add(this.runner, [DAYS.toRow(call)]);
  }

  rollUp(): Promise<number> {
    return this.addClaimed(this.statements.claim({}));
  }

  /** Adds the usage of the ended runs of one session. Call it first in the transaction that deletes the session: days keep their usage. */
  rollUpSession(tenantId: string, sessionId: string): Promise<number> {
    return this.addClaimed(this.statements.claimSession({ tenant_id: tenantId, session_id: sessionId }));
  }

  /** Adds exactly the runs that `claim` marks and returns: a run that ends now waits for the next roll-up, in whatever order its id sorts. */
  private async addClaimed(claim: CompiledQuery<PendingRow>): Promise<number> {
    const claimed = await this.runner.rows(claim);
    if (claimed.length === 0) return 0;
    await this.statements.add(this.runner, addUp(claimed.flatMap(toDays), KEYS, SUMS));
    const runs = JSON.stringify(claimed.map(({ tenant_id: tenant, id }) => ({ tenant, id })));
    const calls = (await this.runner.rows(this.statements.calls({ runs }))).map(toToolDay);
    await this.statements.addTools(this.runner, addUp(calls, TOOL_KEYS, TOOL_SUMS));
    return claimed.length;
  }

  async dayAmounts(tenantId: string, day: string, keyName?: string): Promise<DayAmounts> {
    const rows = await this.runner.rows(this.statements.amounts({ tenant_id: tenantId, day, key_name: keyName ?? null }));
    const waiting = rows
      // A row with an id has the columns of a run, which are null together.
      .flatMap(row => (row.id === null ? [] : toDays(row as PendingRow)))
      .filter(row => row.day === day && (keyName === undefined || row.key_name === keyName));
    const reserved = { tokens: Number(rows[0]?.reserved_tokens ?? 0), nanoDollars: Number(rows[0]?.reserved_nanos ?? 0) };
    return {
      reserved: reserved.tokens + reserved.nanoDollars > 0 ? reserved : undefined,
      tokens:
        Number(rows[0]?.tokens ?? 0) + Number(rows[0]?.spent_tokens ?? 0) + sumOf(waiting, row => row.input_tokens + row.output_tokens),
      nanoDollars: Number(rows[0]?.nanos ?? 0) + Number(rows[0]?.spent_nanos ?? 0) + sumOf(waiting, row => row.nano_dollars),
    };
  }

  /** Computes the rows that ended runs will add to their days. */
  async waitingDays(tenantId?: string): Promise<UsageDayRow[]> {
    return (await this.runner.rows(this.statements.pendingOf({ tenant_id: tenantId ?? null }))).flatMap(toDays);
  }

  waitingToolDays(tenantId?: string) {
    return this.records(this.statements.callsOf({ tenant_id: tenantId ?? null }), toToolDay);
  }

  listDays({ tenantId, from, to }: UsageRange) {
    return this.records(this.statements.list({ tenant_id: tenantId ?? null, from, to }), DAYS.toRecord);
  }
}

function statements(db: Kysely<Schema>) {
  const all = db.selectFrom('runs').select(PENDING_COLUMNS).where(IS_PENDING);
  const ofTenant = ({ tenant_id }: { tenant_id: string | null }) => all.where(sql<SqlBool>`tenant_id = coalesce(${tenant_id}, tenant_id)`);
  const claimed = ({ runs }: { runs: string }) =>
    db
      .selectFrom('runs')
      .select(PENDING_COLUMNS)
      .where(
        sql<SqlBool>`(tenant_id, id) in (
          select ${jsonText(db, 'place.value', 'tenant')}, ${jsonText(db, 'place.value', 'id')} from ${jsonItems(db, runs)}
        )`,
      );
  const callsIn = (runs: typeof all) =>
    db
      .selectFrom(runs.as('run'))
      .innerJoin('tool_executions as call', join => join.onRef('call.tenant_id', '=', 'run.tenant_id').onRef('call.run_id', '=', 'run.id'))
      .select(['run.tenant_id', 'run.key_name', 'run.agent', 'call.tool', DAY.as('day')])
      .select([sql<number>`count(distinct run.id)`.as('runs'), sql<number>`count(*)`.as('calls')])
      .select(sql<number>`sum(coalesce(call.duration_ms, 0))`.as('duration_ms'))
      .groupBy(['run.tenant_id', 'run.key_name', 'run.agent', 'call.tool', DAY]);
  return {
    claim: claimBatch(db),
    claimSession: claimSession(db),
    pendingOf: template(ofTenant),
    calls: template((key: { runs: string }) => callsIn(claimed(key))),
    callsOf: template((key: { tenant_id: string | null }) => callsIn(ofTenant(key))),
    amounts: amountsOfDay(db),
    list: template((range: { tenant_id: string | null; from: string; to: string }) =>
      db
        .selectFrom('usage_days')
        .select(DAYS.columns)
        .where(sql<SqlBool>`tenant_id = coalesce(${range.tenant_id}, tenant_id)`)
        .where('day', '>=', range.from)
        .where('day', '<=', range.to)
        .orderBy('day')
        .orderBy('key_name')
        .orderBy('model')
        .orderBy('agent'),
    ),
    add: insertRows<UsageDayRow>(DAYS.columns, rows =>
      db
        .insertInto('usage_days')
        .values(rows)
        .onConflict(conflict => conflict.columns(KEYS).doUpdateSet(added('usage_days', SUMS) as never)),
    ),
    addTools: insertRows<UsageToolDayRow>(TOOL_DAYS.columns, rows =>
      db
        .insertInto('usage_tool_days')
        .values(rows)
        .onConflict(conflict => conflict.columns(TOOL_KEYS).doUpdateSet(added('usage_tool_days', TOOL_SUMS) as never)),
    ),
  };
}

/** Marks ended runs as added and returns them. Two transactions at once claim different runs: each skips the rows that the other has locked. */
function claimBatch(db: Kysely<Schema>) {
  const oldest = db.selectFrom('runs').select(['tenant_id', 'id']).where(IS_PENDING).limit(sql.lit(MAX_RUNS));
  const batch = isPostgres(db) ? oldest.forUpdate().skipLocked() : oldest;
  return template((_: object) =>
    db
      // Materialized: Postgres may run a subquery of `in` twice, and would lock other rows the second time.
      .with(
        cte => cte('batch').materialized(),
        () => batch,
      )
      .updateTable('runs')
      .set({ usage_pending: 0 })
      .where(sql<SqlBool>`(tenant_id, id) in (select tenant_id, id from batch)`)
      .returning(PENDING_COLUMNS),
  );
}

/** As `claimBatch`, for one session. Waits for a roll-up that has claimed some of the runs: it still reads the calls of these runs. */
function claimSession(db: Kysely<Schema>) {
  return template((key: Pick<RunRow, 'tenant_id' | 'session_id'>) =>
    db
      .updateTable('runs')
      .set({ usage_pending: 0 })
      .where(IS_PENDING)
      .where('tenant_id', '=', key.tenant_id)
      // Few runs are pending, and a session may have many.
      .where(sql<SqlBool>`${unindexed(db, 'session_id')} = ${key.session_id}`)
      .returning(PENDING_COLUMNS),
  );
}

/**
 * Reads the sums of a day and of the active runs, beside each pending run of the tenant, or beside nulls. One statement, because a run may end or be
 * rolled up between two: the run would then be missing in both.
 */
function amountsOfDay(db: Kysely<Schema>) {
  return template((key: Pick<UsageDayRow, 'tenant_id' | 'day'> & { key_name: string | null }) => {
    const stored = db
      .selectFrom('usage_days')
      .select([
        sql<number>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'),
        sql<number>`coalesce(sum(nano_dollars), 0)`.as('nanos'),
      ])
      .where('tenant_id', '=', key.tenant_id)
      .where('day', '=', key.day)
      .where(sql<SqlBool>`key_name = coalesce(${key.key_name}, key_name)`);
    const active = db
      .selectFrom('runs')
      .select([
        sql<number>`coalesce(sum(spent_tokens), 0)`.as('spent_tokens'),
        sql<number>`coalesce(sum(spent_nano_dollars), 0)`.as('spent_nanos'),
        unused('reserved_tokens', 'spent_tokens').as('reserved_tokens'),
        unused('reserved_nano_dollars', 'spent_nano_dollars').as('reserved_nanos'),
      ])
      .where(IS_ACTIVE)
      .where('tenant_id', '=', key.tenant_id)
      .where(sql<SqlBool>`coalesce(key_name, ${LOCAL_KEY_NAME}) = coalesce(${key.key_name}, key_name, ${LOCAL_KEY_NAME})`);
    const pending = db.selectFrom('runs').select(PENDING_COLUMNS).where(IS_PENDING).where('tenant_id', '=', key.tenant_id);
    return db
      .selectFrom(stored.as('stored'))
      .innerJoin(active.as('active'), join => join.onTrue())
      .leftJoin(pending.as('run'), join => join.onTrue())
      .select([
        'stored.tokens',
        'stored.nanos',
        'active.spent_tokens',
        'active.spent_nanos',
        'active.reserved_tokens',
        'active.reserved_nanos',
        ...PENDING_COLUMNS.map(column => `run.${column}` as const),
      ]);
  });
}

const added = (table: string, columns: readonly string[]) =>
  Object.fromEntries(columns.map(name => [name, sql.raw(`${table}.${name} + excluded.${name}`)]));

const sumOf = (rows: readonly UsageDayRow[], amountOf: (row: UsageDayRow) => number): number =>
  rows.reduce((sum, row) => sum + amountOf(row), 0);
