/** Rows of the counters of rate limits and of the usage of days. */

export interface RateCounterRow {
  id: string;
  points: number;
  expires_at: number;
}

/** The calls that ended runs have made of a tool. */
export interface UsageToolDayRow {
  tenant_id: string;
  day: string;
  key_name: string;
  agent: string;
  tool: string;
  runs: number;
  calls: number;
  duration_ms: number;
}

/** See DayUsage. */
export interface UsageDayRow {
  tenant_id: string;
  day: string;
  key_name: string;
  model: string;
  agent: string;
  runs: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  nano_dollars: number;
  unpriced_runs: number;
  duration_ms: number;
}
