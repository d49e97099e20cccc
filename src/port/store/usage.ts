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
  /** Runs that count for this model; a run with several models counts for the first of them. */
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
  /** What active runs have reserved and not used yet. Absent: nothing. */
  reserved?: { tokens: number; nanoDollars: number } | undefined;
}

export type UsageBy = 'day' | 'model' | 'agent' | 'key' | 'tool';

export interface UsageRange {
  /** Absent: all tenants. */
  tenantId?: string;
  /** Days in UTC, both included: YYYY-MM-DD. */
  from: string;
  to: string;
}

/** Usage of a day, model, agent, key or tool. A tool uses no tokens: those of its run count for the model. */
export interface UsageSum extends Pick<DayUsage, 'runs' | 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens'> {
  key: string;
  /** Set for the usage of a key: keys of two tenants may have the same name. */
  tenantId?: string;
  /** Number of calls, set for the usage of a tool. */
  calls?: number;
  nanoDollars: number;
  unpricedRuns: number;
  durationMs: number;
}

export interface UsageReader {
  /**
   * Sums up the runs that ended on the day, whether they are rolled up or not, and what active runs have stored of their use so far: the runs of the
   * key, or all of the tenant without one.
   */
  dayAmounts(tenantId: string, day: string, keyName?: string): Promise<DayAmounts>;
  /** Lists the days from `from` to `to`, both included, that are rolled up; in the order of day, key, model and agent. */
  listDays(range: UsageRange): Promise<DayUsage[]>;
}

export interface UsageSumReader {
  /** Adds up the ended runs, whether they are rolled up or not; in no order. A run that calls a tool twice counts once for the tool. */
  sum(range: UsageRange, by: UsageBy): Promise<UsageSum[]>;
}

export interface UsageWriter {
  /** Adds a model call that belongs to no run to its day. */
  addCall(call: DayUsage): Promise<void>;
  /**
   * All tenants: adds the usage of ended runs to their days, at most 200 runs. Resolves with the number of runs. Adds each run once, also when several
   * processes do it at once.
   */
  rollUp(): Promise<number>;
}
