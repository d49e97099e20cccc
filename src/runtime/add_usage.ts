import type { Usage } from '../port/llm';

/** Adds the tokens of one model call to `sum`. */
export function addUsage(sum: Usage, more: Usage | undefined): void {
  if (!more) return;
  sum.inputTokens += more.inputTokens;
  sum.outputTokens += more.outputTokens;
  if (more.reasoningTokens !== undefined) sum.reasoningTokens = (sum.reasoningTokens ?? 0) + more.reasoningTokens;
  if (more.cachedTokens !== undefined) sum.cachedTokens = (sum.cachedTokens ?? 0) + more.cachedTokens;
}
