/** Usage by day in UTC, kept after the runs and sessions are deleted. A run counts on the day of its end. */
import type { Usage } from '../llm';

/** Usage of one run by model. */
export type UsageByModel = Readonly<Record<string, Usage>>;

export interface DayUsage {
  tenantId: string;
  /** YYYY-MM-DD. */
  day: string;
  keyName: string;
  /** '' for runs that called no model. */
  model: string;
  agent: string;
  /** A run with several models counts with the first of them. */
  runs: number;
  inputTokens: number;
  /** Part of the input tokens. */
  cachedTokens: number;
  outputTokens: number;
  /** Part of the output tokens. */
  reasoningTokens: number;
  /** Cost of the calls whose price is known. */
  nanoDollars: number;
  /** Runs with calls whose price is unknown. */
  unpricedRuns: number;
  durationMs: number;
}

/** Tokens and known cost of a day. */
export interface DayAmounts {
  tokens: number;
  nanoDollars: number;
}

export interface UsageReader {
  /** Sums up the runs that ended on the day, whether they are rolled up or not: those of the key, or all of the tenant without one. */
  dayAmounts(tenantId: string, day: string, keyName?: string): Promise<DayAmounts>;
  /** Lists the days from `from` to `to`, both included, that are rolled up; in the order of day, key, model and agent. */
  listDayUsage(range: { tenantId?: string; from: string; to: string }): Promise<DayUsage[]>;
}

export interface UsageWriter {
  /** All tenants: adds the usage of ended runs to their days, each run once, at most 500 runs. Resolves with the number of runs. */
  rollUpUsage(): Promise<number>;
}
