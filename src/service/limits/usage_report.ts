/** Reports usage: runs, tokens and cost by day, model, agent, key, tenant or tool. */
import { type AppError, invalidField } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Store } from '../../port/store/store';
import type { UsageBy, UsageRange, UsageSum } from '../../port/store/usage';

export interface UsageRequest {
  /** Absent: all tenants. */
  tenantId?: string;
  /** Days in UTC, both included. Default: the last 30 days. */
  from?: string;
  to?: string;
  by: UsageBy | 'tenant';
}

export interface UsageReportRows extends UsageRange {
  /** Days in their order, tools with the most calls first, others with the most tokens first. */
  rows: UsageSum[];
}

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;

export class UsageReport {
  constructor(private readonly deps: { store: Pick<Store, 'lists'>; clock: Clock }) {}

  /** Reads the usage. Rejects `invalid_request` when `from` is after `to`. */
  async readUsage({ by, tenantId, from: begin, to: end }: UsageRequest): Promise<UsageReportRows> {
    const to = end ?? dayOf(this.deps.clock.now());
    const from = begin ?? dayOf(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
    if (from > to) throw backwards(from, to);
    const range = { tenantId, from, to };
    const { usageSums } = this.deps.store.lists;
    const rows = by === 'tenant' ? sumOfTenants(await usageSums.sum(range, 'key')) : await usageSums.sum(range, by);
    return { ...range, rows: rows.sort((a, b) => orderOf(by, a, b) || compare(a.key, b.key) || compare(a.tenantId, b.tenantId)) };
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Adds up the keys of each tenant. */
function sumOfTenants(keys: readonly UsageSum[]): UsageSum[] {
  return [...Map.groupBy(keys, ({ tenantId = '' }) => tenantId)].map(([key, rows]) => {
    const sum = (amountOf: (row: UsageSum) => number) => rows.reduce((total, row) => total + amountOf(row), 0);
    return {
      key,
      runs: sum(row => row.runs),
      inputTokens: sum(row => row.inputTokens),
      cachedTokens: sum(row => row.cachedTokens),
      outputTokens: sum(row => row.outputTokens),
      reasoningTokens: sum(row => row.reasoningTokens),
      nanoDollars: sum(row => row.nanoDollars),
      unpricedRuns: sum(row => row.unpricedRuns),
      durationMs: sum(row => row.durationMs),
    };
  });
}

function orderOf(by: UsageRequest['by'], a: UsageSum, b: UsageSum): number {
  if (by === 'day') return 0;
  return by === 'tool' ? (b.calls ?? 0) - (a.calls ?? 0) : tokensOf(b) - tokensOf(a);
}

const tokensOf = ({ inputTokens, outputTokens }: UsageSum): number => inputTokens + outputTokens;

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

const backwards = (from: string, to: string): AppError =>
  invalidField('/from', `${from} is after the last day, ${to}.`, `${from} 晚于最后一天 ${to}。`);
