/** The tables of usage by day, and the rows that runs and calls of tools add to them. */
import type { Usage } from '../../../port/llm';
import { LOCAL_KEY_NAME } from '../../../port/principal';
import type { DayUsage, UsageByModel } from '../../../port/store/usage';
import { toNanoDollars } from '../../../utils/dollars';
import { fromJson } from '../base/column_values';
import { defineTable, type RowOf } from '../base/define_table';
import type { RunRow } from '../runs/run_rows';

export const KEYS = ['tenant_id', 'day', 'key_name', 'model', 'agent'] as const;
export const DAYS = defineTable<DayUsage>()('usage_days', {
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
export const SUMS = DAY_SUMS.columns;

/** The calls that ended runs have made of a tool. */
type ToolDay = Pick<DayUsage, 'tenantId' | 'day' | 'keyName' | 'agent' | 'runs' | 'durationMs'> & { tool: string; calls: number };
export const TOOL_KEYS = ['tenant_id', 'day', 'key_name', 'agent', 'tool'] as const;
export const TOOL_DAYS = defineTable<ToolDay>()('usage_tool_days', {
  tenant_id: 'text',
  day: 'text',
  key_name: 'text',
  agent: 'text',
  tool: 'text',
  runs: 'number',
  calls: 'number',
  duration_ms: 'number',
});
export const TOOL_SUMS = TOOL_DAYS.without(...TOOL_KEYS).columns;

export type UsageDayRow = RowOf<typeof DAYS>;
export type UsageToolDayRow = RowOf<typeof TOOL_DAYS>;

declare module '../base/schema' {
  interface Schema {
    usage_days: UsageDayRow;
    usage_tool_days: UsageToolDayRow;
  }
}

export const PENDING_COLUMNS = ['tenant_id', 'id', 'key_name', 'agent', 'usage_by_model', 'created_at', 'started_at', 'ended_at'] as const;
export const DAY_MS = 86_400_000;
export type PendingRow = Pick<RunRow, (typeof PENDING_COLUMNS)[number]>;

/** `day`: days since 1970. */
type CallsOfDay = Pick<RunRow, 'tenant_id' | 'key_name' | 'agent'> &
  Record<'day' | 'runs' | 'calls' | 'duration_ms', number> & { tool: string };

/** The row that the calls of one tool add to a day. Postgres returns sums as texts. */
export const toToolDay = (calls: CallsOfDay): UsageToolDayRow => ({
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
export function toDays(run: PendingRow): UsageDayRow[] {
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
