import type { Usage } from '../port/llm';
import { addDollars } from '../utils/dollars';

/** Adds the tokens of one model call to `sum`. The cost of the sum is unknown as soon as one call has no known cost. */
export function addUsage(sum: Usage, more: Usage | undefined): void {
  if (!more) return;
  addCost(sum, more);
  sum.inputTokens += more.inputTokens;
  sum.outputTokens += more.outputTokens;
  if (more.reasoningTokens !== undefined) sum.reasoningTokens = (sum.reasoningTokens ?? 0) + more.reasoningTokens;
  if (more.cachedTokens !== undefined) sum.cachedTokens = (sum.cachedTokens ?? 0) + more.cachedTokens;
}

function addCost(sum: Usage, { costUsd }: Usage): void {
  const isEmpty = sum.inputTokens === 0 && sum.outputTokens === 0;
  if (costUsd !== undefined && isEmpty) sum.costUsd = costUsd;
  else if (costUsd !== undefined && sum.costUsd !== undefined) sum.costUsd = addDollars(sum.costUsd, costUsd);
  else delete sum.costUsd;
}
