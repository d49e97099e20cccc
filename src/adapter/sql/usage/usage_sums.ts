/** Adds up the usage of days by one thing: the rows of days, and the ended runs that wait to be added to them. */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { UsageBy, UsageRange, UsageSum } from '../../../port/store/usage';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { DAY_SUMS, type UsageDayRow, type UsageToolDayRow } from './usage_rows';
import type { UsageTable } from './usage_table';

/** The columns that tell one row of a sum from the others. Keys of two tenants may have the same name, so a key needs its tenant. */
const KEYS_OF = {
  day: ['day'],
  model: ['model'],
  agent: ['agent'],
  key: ['key_name', 'tenant_id'],
} as const;

const NOTHING = {
  runs: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  nanoDollars: 0,
  unpricedRuns: 0,
  durationMs: 0,
};
const AMOUNTS = Object.keys(NOTHING) as (keyof typeof NOTHING)[];

export class UsageSums extends sqlTable(() => undefined) {
  constructor(
    db: Kysely<Schema>,
    private readonly usage: UsageTable,
  ) {
    super(db);
  }

  async sum(range: UsageRange, by: UsageBy): Promise<UsageSum[]> {
    const sums = by === 'tool' ? await this.sumTools(range) : await this.sumDays(range, by);
    const merged = new Map<string, UsageSum>();
    for (const sum of sums) {
      const id = `${sum.tenantId ?? ''} ${sum.key}`;
      const known = merged.get(id);
      merged.set(id, known ? addUp(known, sum) : sum);
    }
    return [...merged.values()];
  }

  private async sumDays(range: UsageRange, by: keyof typeof KEYS_OF): Promise<UsageSum[]> {
    const stored = await this.runner.rows(this.daysQuery(range, KEYS_OF[by]));
    const waiting = (await this.usage.on(this.runner).waitingDays(range.tenantId)).filter(row => isWithin(row, range));
    const [name] = KEYS_OF[by];
    // Rows without a name are left out: a run that was cancelled in the queue asked no model.
    const named = [...stored, ...waiting].filter(row => row[name] !== '');
    return named.map(row => ({ ...DAY_SUMS.toRecord(row), key: row[name], tenantId: by === 'key' ? row.tenant_id : undefined }));
  }

  private async sumTools(range: UsageRange): Promise<UsageSum[]> {
    const stored = await this.runner.rows(this.toolsQuery(range));
    const waiting = (await this.usage.on(this.runner).waitingToolDays(range.tenantId)).filter(row => isWithin(row, range));
    return [...stored, ...waiting].map(row => ({
      ...NOTHING,
      key: row.tool,
      runs: Number(row.runs),
      calls: Number(row.calls),
      durationMs: Number(row.duration_ms),
    }));
  }

  private daysQuery({ tenantId, from, to }: UsageRange, keys: readonly ('day' | 'model' | 'agent' | 'key_name' | 'tenant_id')[]) {
    let query = this.db
      .selectFrom('usage_days')
      .select([...keys])
      .select(DAY_SUMS.columns.map(column => sql<number>`sum(${sql.ref(column)})`.as(column)))
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy([...keys]);
    if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId);
    // The builder cannot express that the columns are those of `keys`.
    return query.compile() as unknown as CompiledQuery<UsageDayRow>;
  }

  private toolsQuery({ tenantId, from, to }: UsageRange) {
    let query = this.db
      .selectFrom('usage_tool_days')
      .select('tool')
      .select(eb => [eb.fn.sum('runs').as('runs'), eb.fn.sum('calls').as('calls'), eb.fn.sum('duration_ms').as('duration_ms')])
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy('tool');
    if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId);
    return query.compile() as unknown as CompiledQuery<UsageToolDayRow>;
  }
}

const isWithin = ({ day }: { day: string }, { from, to }: UsageRange): boolean => day >= from && day <= to;

function addUp(a: UsageSum, b: UsageSum): UsageSum {
  const sums = Object.fromEntries(AMOUNTS.map(name => [name, a[name] + b[name]]));
  return { ...a, ...sums, calls: a.calls === undefined ? undefined : a.calls + (b.calls ?? 0) };
}
