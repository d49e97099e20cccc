/** Counts of model calls since the start of this process, by tenant and model. Memory only. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../port/clock';
import type { Usage } from '../../../port/llm';
import { toNanoDollars } from '../../../utils/dollars';
import { Histogram } from '../../../utils/histogram';

const MAX_ROWS = 2_000;
const P50 = 0.5;
const P95 = 0.95;

export interface ModelFigureRow {
  model: string;
  calls: number;
  errors: number;
  lastError?: { code: string; at: string };
  /** Requests that were sent again after an error. */
  retries: number;
  /** Calls that another model took over. */
  fallbacks: number;
  firstTokenP50Ms?: number;
  firstTokenP95Ms?: number;
  callP95Ms?: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Known cost. */
  costUsd: number;
  /** Calls whose price is unknown. */
  unpricedCalls: number;
}

type Counts = Omit<ModelFigureRow, 'firstTokenP50Ms' | 'firstTokenP95Ms' | 'callP95Ms' | 'costUsd'> & { nanoDollars: number };

/** A row of one process, in the form that another process reads. */
export type ModelFigurePart = Counts & { firstTokenMs: ReturnType<Histogram['toPairs']>; callMs: ReturnType<Histogram['toPairs']> };

interface Row extends Counts {
  firstTokenMs: Histogram;
  callMs: Histogram;
}

export class ModelFigures {
  private readonly rows = new LRUCache<string, Row>({ max: MAX_ROWS });

  constructor(private readonly clock: Clock) {}

  recordCall(tenantId: string, model: string, durationMs: number): void {
    const row = this.rowOf(tenantId, model);
    row.calls += 1;
    row.callMs.record(durationMs);
  }

  recordFirstToken(tenantId: string, model: string, milliseconds: number): void {
    this.rowOf(tenantId, model).firstTokenMs.record(milliseconds);
  }

  recordUsage(tenantId: string, model: string, usage: Usage): void {
    const row = this.rowOf(tenantId, model);
    row.inputTokens += usage.inputTokens;
    row.cachedTokens += usage.cachedTokens ?? 0;
    row.outputTokens += usage.outputTokens;
    row.reasoningTokens += usage.reasoningTokens ?? 0;
    if (usage.costUsd === undefined) row.unpricedCalls += 1;
    else row.nanoDollars += toNanoDollars(usage.costUsd);
  }

  recordError(tenantId: string, model: string, code: string): void {
    const row = this.rowOf(tenantId, model);
    row.errors += 1;
    row.lastError = { code, at: new Date(this.clock.now()).toISOString() };
  }

  recordRetry(tenantId: string, model: string): void {
    this.rowOf(tenantId, model).retries += 1;
  }

  recordFallback(tenantId: string, model: string): void {
    this.rowOf(tenantId, model).fallbacks += 1;
  }

  /** The rows of a tenant, or of all tenants. */
  partsOf(tenantId: string | undefined): ModelFigurePart[] {
    const rows = [...this.rows.entries()].filter(([key]) => tenantId === undefined || key.startsWith(`${tenantId}\n`));
    return rows.map(([, row]) => ({ ...row, firstTokenMs: row.firstTokenMs.toPairs(), callMs: row.callMs.toPairs() }));
  }

  private rowOf(tenantId: string, model: string): Row {
    const key = `${tenantId}\n${model}`;
    const known = this.rows.get(key);
    if (known) return known;
    const row = emptyRow(model);
    this.rows.set(key, row);
    return row;
  }
}

/** Adds up the rows of all tenants and processes by model. */
export function sumModelFigures(parts: readonly ModelFigurePart[]): ModelFigureRow[] {
  const sums = new Map<string, Row>();
  for (const { firstTokenMs, callMs, ...part } of parts) {
    const sum = sums.get(part.model) ?? emptyRow(part.model);
    sums.set(part.model, sum);
    // A gateway of an earlier version knows fewer fields.
    for (const field of SUMMED) sum[field] += part[field] ?? 0;
    if (part.lastError && part.lastError.at > (sum.lastError?.at ?? '')) sum.lastError = part.lastError;
    sum.firstTokenMs.addPairs(firstTokenMs);
    sum.callMs.addPairs(callMs);
  }
  return [...sums.values()].map(toRow);
}

const SUMMED = [
  'calls',
  'errors',
  'retries',
  'fallbacks',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'unpricedCalls',
  'nanoDollars',
] as const;

const emptyRow = (model: string): Row => ({
  model,
  calls: 0,
  errors: 0,
  retries: 0,
  fallbacks: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  unpricedCalls: 0,
  nanoDollars: 0,
  firstTokenMs: new Histogram(),
  callMs: new Histogram(),
});

function toRow({ firstTokenMs, callMs, nanoDollars, ...counts }: Row): ModelFigureRow {
  const p50 = firstTokenMs.percentile(P50);
  const p95 = firstTokenMs.percentile(P95);
  const call = callMs.percentile(P95);
  return {
    ...counts,
    costUsd: nanoDollars / 1e9,
    firstTokenP50Ms: p50,
    firstTokenP95Ms: p95,
    callP95Ms: call,
  };
}
