/** Adds up what the answers of a chat used. Pure. */
import type { Turn, Usage } from './view_types';

/** Sums tokens and cost. The cost is undefined as soon as the price of one answer is not known. */
export function sumUsage(turns: readonly Pick<Turn, 'usage'>[]): { tokens: number; costUsd?: number } {
  const usages = turns.flatMap(({ usage }) => (usage ? [usage] : []));
  const costs = usages.map(({ costUsd }) => costUsd).filter(cost => cost !== undefined);
  return {
    tokens: usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    costUsd: usages.length > 0 && costs.length === usages.length ? costs.reduce((sum, cost) => sum + cost, 0) : undefined,
  };
}

/** Returns which part of the input came from the cache of the model server, in percent. */
export function cachedPercent({ inputTokens, cachedTokens = 0 }: Usage): number {
  return inputTokens > 0 ? Math.round((100 * cachedTokens) / inputTokens) : 0;
}
