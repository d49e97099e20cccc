/** Adds up the cost of a span by tenant, key and model. Pure. */
import type { DayUsage } from '../../../port/store/usage';
import { fromNanoDollars } from '../../../utils/dollars';
import type { OpsHistory } from '../schemas/history_schema';
import type { OpsRunRow } from '../store/ops_records';
import { type HistorySpan, partAt } from './history_parts';

type Cost = OpsHistory['cost'];
type Names = Record<'tenant' | 'key' | 'model', string>;

/** Series of one chart; the rest is one more. */
const MAX_SERIES = 6;
const DAY_MS = 86_400_000;

/** Cost in the parts of the span, from the runs that ended in them. */
export function costByPart(runs: readonly OpsRunRow[], span: HistorySpan): Cost {
  const starts = startsOf(span.from, span.to, span.partMs);
  const amounts = runs.flatMap(({ tenantId, keyName = '', model = '', usage, endedAt }) => {
    const index = endedAt === undefined ? undefined : partAt(span, endedAt);
    const amount = usage?.costUsd ?? 0;
    return index === undefined || amount === 0 ? [] : [{ index, amount, names: { tenant: tenantId, key: keyName, model } }];
  });
  return seriesOf(starts, amounts);
}

/** Cost of the days of the span, in UTC, as they were rolled up. */
export function costByDay(days: readonly DayUsage[], { from, to }: HistorySpan): Cost {
  const first = Math.floor(from / DAY_MS) * DAY_MS;
  const amounts = days.flatMap(({ day, tenantId, keyName, model, nanoDollars }) => {
    const names = { tenant: tenantId, key: keyName, model };
    return nanoDollars === 0
      ? []
      : [{ index: (Date.parse(`${day}T00:00:00Z`) - first) / DAY_MS, amount: fromNanoDollars(nanoDollars), names }];
  });
  return seriesOf(startsOf(first, to, DAY_MS), amounts);
}

const startsOf = (from: number, to: number, stepMs: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);

function seriesOf(starts: readonly number[], amounts: readonly { index: number; amount: number; names: Names }[]): Cost {
  const by = (kind: keyof Names) => {
    const sums = new Map<string, number[]>();
    for (const { index, amount, names } of amounts) {
      const values = sums.get(names[kind]) ?? starts.map(() => 0);
      values[index] = (values[index] ?? 0) + amount;
      sums.set(names[kind], values);
    }
    const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    const sorted = [...sums].map(([name, values]) => ({ name, values })).sort((a, b) => total(b.values) - total(a.values));
    const rest = sorted.slice(MAX_SERIES).map(({ values }) => values);
    const shown = sorted.slice(0, MAX_SERIES);
    return rest.length === 0
      ? shown
      : [...shown, { name: '*', values: starts.map((_, i) => rest.reduce((sum, values) => sum + (values[i] ?? 0), 0)) }];
  };
  return { at: starts.map(start => new Date(start).toISOString()), tenant: by('tenant'), key: by('key'), model: by('model') };
}
