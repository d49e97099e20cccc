/** Encodes usage for the REST door. */
import type { UsageSum } from '../port/store/usage';
import { fromNanoDollars } from '../utils/dollars';
import type { CsvCell } from './csv';

/** `costUsd` when the price of every call is known, else `unpriced` and the known part of the cost. */
export function toWireUsage({ key, tenantId, calls, nanoDollars, unpricedRuns, durationMs, ...amounts }: UsageSum) {
  const { runs, inputTokens, cachedTokens, outputTokens, reasoningTokens } = amounts;
  const costUsd = fromNanoDollars(nanoDollars);
  return {
    key,
    tenant: tenantId,
    runs,
    calls,
    inputTokens,
    cachedTokens,
    outputTokens,
    reasoningTokens,
    ...(unpricedRuns === 0 ? { costUsd } : { unpriced: true, unpricedRuns, knownCostUsd: costUsd }),
    durationMs,
  };
}

export const USAGE_COLUMNS = [
  'key',
  'tenant',
  'runs',
  'calls',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'costUsd',
  'durationMs',
] as const;

/** `costUsd` says `unpriced` where the price of a call is unknown: a number there would be read as the whole cost. */
export function toUsageCells(row: ReturnType<typeof toWireUsage>): CsvCell[] {
  const cells = { costUsd: 'unpriced', ...row };
  return USAGE_COLUMNS.map(name => cells[name]);
}
