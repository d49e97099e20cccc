/** Models and usage for operators. Every failure rejects with a RequestError. */
import { callRest, requestRest } from '../../api/call_rest';

interface DaySums {
  runs: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  costUsd: number;
  unpricedRuns: number;
}

/** Figures since `countedSince` are absent for a model that was not called since. Times are ISO-8601 UTC. */
export interface ModelRow {
  id: string;
  model: string;
  label?: string;
  provider: string;
  state: 'ok' | 'cooling' | 'failing' | 'unknown';
  reason?: string;
  isDefault: boolean;
  priceSource: 'models.yaml' | 'list' | 'none';
  /** US dollars a million tokens. */
  price?: { input: number; output: number; cachedInput?: number };
  today: DaySums;
  calls?: number;
  errors?: number;
  retries?: number;
  fallbacks?: number;
  lastError?: { code: string; at: string };
  firstTokenP50Ms?: number;
  firstTokenP95Ms?: number;
  callP95Ms?: number;
  inputTokens?: number;
  cachedTokens?: number;
  outputTokens?: number;
  costUsd?: number;
  unpricedCalls?: number;
}

/** Models with calls without a price come first. */
export interface ModelsView {
  countedSince: string;
  models: readonly ModelRow[];
}

export const USAGE_KINDS = ['day', 'model', 'agent', 'key', 'tool'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageRow {
  /** The day, or the name of the model, agent, key or tool; empty for runs that called no model. */
  key: string;
  runs: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** When the price of every call is known. */
  costUsd?: number;
  /** Instead: the cost of the calls whose price is known. */
  knownCostUsd?: number;
  /** Runs with calls without a price. */
  unpricedRuns?: number;
  /** By key alone. */
  tenant?: string;
  durationMs: number;
}

/** The last `days` days in UTC, today included. */
const rangeOf = (days: number, now: Date): { from: string; to: string } => {
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  return { from: dayOf(new Date(now.getTime() - (days - 1) * 86_400_000)), to: dayOf(now) };
};

const usagePath = (by: UsageKind, days: number): string => `/usage?${new URLSearchParams({ by, ...rangeOf(days, new Date()) })}`;

export const readUsage = (by: UsageKind, days: number): Promise<{ data: readonly UsageRow[] }> => callRest('GET', usagePath(by, days));

export async function readUsageCsv(by: UsageKind, days: number): Promise<string> {
  return (await requestRest('GET', usagePath(by, days), { headers: { accept: 'text/csv' } })).text();
}
