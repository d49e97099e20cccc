/** Queries about usage by day. The usage of an ended run stays with the run until a roll-up adds it to the sums of its day. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Usage } from '../../../port/llm';
import { LOCAL_KEY_NAME } from '../../../port/principal';
import type { DayAmounts, DayUsage, UsageByModel, UsageRange } from '../../../port/store/usage';
import { toNanoDollars } from '../../../utils/dollars';
import { fromJson } from '../base/column_values';
import { defineTable, type RowOf } from '../base/define_table';
import { insertRows, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import type { RunRow } from '../runs/run_rows';

const KEYS = ['tenant_id', 'day', 'key_name', 'model', 'agent'] as const;
const DAYS = defineTable<DayUsage>()('usage_days', {
  tenant_id: 'text',
  day: 'text',
  key_name: 'text',
  model: 'text',
  agent: 'text',
  runs: 'number',
  input_tokens: 'number',
  cached_tokens: 'number',
  output_tokens: 'number',
  reasoning_tokens: 'number',
  nano_dollars: 'number',
  unpriced_runs: 'number',
  duration_ms: 'number',
});
export const DAY_SUMS = DAYS.without(...KEYS);
const SUMS = DAY_SUMS.columns;

/** The calls that ended runs have made of a tool. */
type ToolDay = Pick<DayUsage, 'tenantId' | 'day' | 'keyName' | 'agent' | 'runs' | 'durationMs'> & { tool: string; calls: number };
const TOOL_KEYS = ['tenant_id', 'day', 'key_name', 'agent', 'tool'] as const;
const TOOL_DAYS = defineTable<ToolDay>()('usage_tool_days', {
  tenant_id: 'text',
  day: 'text',
  key_name: 'text',
  agent: 'text',
  tool: 'text',
  runs: 'number',
  calls: 'number',
  duration_ms: 'number',
});
const TOOL_SUMS = TOOL_DAYS.without(...TOOL_KEYS).columns;

export type UsageDayRow = RowOf<typeof DAYS>;
export type UsageToolDayRow = RowOf<typeof TOOL_DAYS>;

declare module '../base/schema' {
  interface Schema {
    usage_days: UsageDayRow;
    usage_tool_days: UsageToolDayRow;
  }
}

/** Must equal the condition of the partial index `runs_usage_pending`, or SQLite does not use it. */
const IS_PENDING = sql<SqlBool>`usage_pending = 1`;
const PENDING_COLUMNS = ['tenant_id', 'id', 'key_name', 'agent', 'usage_by_model', 'created_at', 'started_at', 'ended_at'] as const;
const DAY_MS = 86_400_000;
/** The day on which a run counts, in days since 1970. Both databases drop the rest when they divide whole numbers. */
const DAY = sql<number>`coalesce(run.ended_at, run.created_at) / ${sql.lit(DAY_MS)}`;
type PendingRow = Pick<RunRow, (typeof PENDING_COLUMNS)[number]>;

/** The most runs that one transaction adds: 1 to 2 ms, in which the event loop does nothing else. */
const MAX_RUNS = 200;

export class UsageTable extends sqlTable(statements) {
  async rollUp(): Promise<number> {
    const pending = await this.runner.rows(this.statements.pending({}));
    if (pending.length === 0) return 0;
    await this.statements.add(this.runner, addUp(pending.flatMap(toDays), KEYS, SUMS));
    const calls = (await this.runner.rows(this.statements.calls({}))).map(toToolDay);
    await this.statements.addTools(this.runner, addUp(calls, TOOL_KEYS, TOOL_SUMS));
    await this.runner.changes(this.statements.settle(pending.at(-1) as PendingRow));
    return pending.length;
  }

  async dayAmounts(tenantId: string, day: string, keyName?: string): Promise<DayAmounts> {
    const [stored] = await this.runner.rows(this.statements.amounts({ tenant_id: tenantId, day, key_name: keyName ?? null }));
    const waiting = (await this.waitingDays(tenantId)).filter(
      row => row.day === day && (keyName === undefined || row.key_name === keyName),
    );
    return {
      tokens: Number(stored?.tokens ?? 0) + sumOf(waiting, row => row.input_tokens + row.output_tokens),
      nanoDollars: Number(stored?.nanos ?? 0) + sumOf(waiting, row => row.nano_dollars),
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
  // Sorted, so that all statements of a roll-up select the same runs. The transactions of all gateways run one after the other.
  const batch = all.orderBy('tenant_id').orderBy('id').limit(sql.lit(MAX_RUNS));
  const callsIn = (runs: typeof all) =>
    db
      .selectFrom(runs.as('run'))
      .innerJoin('tool_executions as call', join => join.onRef('call.tenant_id', '=', 'run.tenant_id').onRef('call.run_id', '=', 'run.id'))
      .select(['run.tenant_id', 'run.key_name', 'run.agent', 'call.tool', DAY.as('day')])
      .select([sql<number>`count(distinct run.id)`.as('runs'), sql<number>`count(*)`.as('calls')])
      .select(sql<number>`sum(coalesce(call.duration_ms, 0))`.as('duration_ms'))
      .groupBy(['run.tenant_id', 'run.key_name', 'run.agent', 'call.tool', DAY]);
  return {
    pending: template(() => batch),
    pendingOf: template(ofTenant),
    calls: template(() => callsIn(batch)),
    callsOf: template((key: { tenant_id: string | null }) => callsIn(ofTenant(key))),
    settle: template((last: Pick<RunRow, 'tenant_id' | 'id'>) =>
      db
        .updateTable('runs')
        .set({ usage_pending: 0 })
        .where(IS_PENDING)
        .where(sql<SqlBool>`(tenant_id, id) <= (${last.tenant_id}, ${last.id})`),
    ),
    amounts: template((key: Pick<UsageDayRow, 'tenant_id' | 'day'> & { key_name: string | null }) =>
      db
        .selectFrom('usage_days')
        .select([
          sql<number>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'),
          sql<number>`coalesce(sum(nano_dollars), 0)`.as('nanos'),
        ])
        .where('tenant_id', '=', key.tenant_id)
        .where('day', '=', key.day)
        .where(sql<SqlBool>`key_name = coalesce(${key.key_name}, key_name)`),
    ),
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

const added = (table: string, columns: readonly string[]) =>
  Object.fromEntries(columns.map(name => [name, sql.raw(`${table}.${name} + excluded.${name}`)]));

/** `day`: days since 1970. */
type CallsOfDay = Pick<RunRow, 'tenant_id' | 'key_name' | 'agent'> &
  Record<'day' | 'runs' | 'calls' | 'duration_ms', number> & { tool: string };

/** The row that the calls of one tool add to a day. Postgres returns sums as texts. */
const toToolDay = (calls: CallsOfDay): UsageToolDayRow => ({
  tenant_id: calls.tenant_id,
  day: dayOf(Number(calls.day) * DAY_MS),
  key_name: calls.key_name ?? LOCAL_KEY_NAME,
  agent: calls.agent,
  tool: calls.tool,
  runs: Number(calls.runs),
  calls: Number(calls.calls),
  duration_ms: Math.round(Number(calls.duration_ms)),
});

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The rows that a run adds to its day: one for each model. */
function toDays(run: PendingRow): UsageDayRow[] {
  const endedAt = run.ended_at ?? run.created_at;
  const durationMs = Math.max(0, endedAt - (run.started_at ?? endedAt));
  const models = Object.entries(run.usage_by_model === null ? {} : fromJson<UsageByModel>(run.usage_by_model));
  const used: [model: string, usage: Usage | undefined][] = models.length > 0 ? models : [['', undefined]];
  return used.map(([model, usage], index) => ({
    tenant_id: run.tenant_id,
    day: dayOf(endedAt),
    key_name: run.key_name ?? LOCAL_KEY_NAME,
    model,
    agent: run.agent,
    runs: index === 0 ? 1 : 0,
    input_tokens: usage?.inputTokens ?? 0,
    cached_tokens: usage?.cachedTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    reasoning_tokens: usage?.reasoningTokens ?? 0,
    nano_dollars: toNanoDollars(usage?.costUsd ?? 0),
    unpriced_runs: usage && usage.costUsd === undefined ? 1 : 0,
    duration_ms: index === 0 ? durationMs : 0,
  }));
}

/** Adds up rows of the same key, so that one insert meets each row of the table once. */
function addUp<C extends string, Row extends Record<C, number>>(
  rows: readonly Row[],
  keys: readonly (keyof Row)[],
  columns: readonly C[],
): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const name = JSON.stringify(keys.map(key => row[key]));
    const sum: Record<C, number> | undefined = sums.get(name);
    if (!sum) sums.set(name, { ...row });
    else for (const column of columns) sum[column] += row[column];
  }
  return [...sums.values()];
}

const sumOf = (rows: readonly UsageDayRow[], amountOf: (row: UsageDayRow) => number): number =>
  rows.reduce((sum, row) => sum + amountOf(row), 0);
