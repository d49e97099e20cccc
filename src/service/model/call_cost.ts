/** The cost of one model call from a price in USD for a million tokens. */
import type { Usage } from '../../port/llm';
import type { ModelPrice } from '../../port/model_client';
import { fromNanoDollars, toNanoDollars } from '../../utils/dollars';

/** Picodollars of one token at 1 USD for a million tokens; prices count to six decimals. */
const PICOS_PER_TOKEN = 1e6;
const PICOS_PER_NANO = 1_000n;

/**
 * Returns USD, rounded once to a whole nano-dollar. Input from the cache, or into it, without a price of its own costs as much as other input. A tier
 * without a factor costs the price.
 */
export function costOf({ input, output, cachedInput = input, cacheWrite = input, tiers = {} }: ModelPrice, usage: Usage): number {
  const factor = factorOf(tiers, usage);
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const picos =
    picosOf(usage.inputTokens - cached - written, input * factor) +
    picosOf(cached, cachedInput * factor) +
    picosOf(written, cacheWrite * factor) +
    picosOf(usage.outputTokens, output * factor);
  return fromNanoDollars(Number((picos + PICOS_PER_NANO / 2n) / PICOS_PER_NANO));
}

/** OpenAI, Google and Anthropic sell these tiers at half of the usual price, which alone stands in the list of public prices. */
const LISTED_TIERS: Readonly<Record<string, number>> = { flex: 0.5, batch: 0.5 };

/** Returns the cost in the tier that answered, for a cost at the usual public price. */
export const tierCostOf = (costUsd: number, usage: Usage): number =>
  fromNanoDollars(Math.round(toNanoDollars(costUsd) * factorOf(LISTED_TIERS, usage)));

const factorOf = (tiers: Readonly<Record<string, number>>, { serviceTier = '' }: Usage): number =>
  Object.hasOwn(tiers, serviceTier) ? (tiers[serviceTier] ?? 1) : 1;

const picosOf = (tokens: number, price: number): bigint => BigInt(Math.round(tokens)) * BigInt(Math.round(price * PICOS_PER_TOKEN));
