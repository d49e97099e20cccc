/** The cost of one model call from a price in USD for a million tokens. */
import type { Usage } from '../../port/llm';
import type { ModelPrice } from '../../port/model_client';
import { fromNanoDollars } from '../../utils/dollars';

/** Picodollars of one token at 1 USD for a million tokens; prices count to six decimals. */
const PICOS_PER_TOKEN = 1e6;
const PICOS_PER_NANO = 1_000n;

/** Returns USD, rounded once to a whole nano-dollar. Input from the cache, or into it, without a price of its own costs as much as other input. */
export function costOf({ input, output, cachedInput = input, cacheWrite = input }: ModelPrice, usage: Usage): number {
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const picos =
    picosOf(usage.inputTokens - cached - written, input) +
    picosOf(cached, cachedInput) +
    picosOf(written, cacheWrite) +
    picosOf(usage.outputTokens, output);
  return fromNanoDollars(Number((picos + PICOS_PER_NANO / 2n) / PICOS_PER_NANO));
}

const picosOf = (tokens: number, price: number): bigint => BigInt(Math.round(tokens)) * BigInt(Math.round(price * PICOS_PER_TOKEN));
