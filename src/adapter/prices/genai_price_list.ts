/** Prices of public model services, from the list that @pydantic/genai-prices ships. It is never updated over the network. */
import type { Usage } from '../../port/llm';
import type { ListedPrice, PricedModel, PriceList } from '../../port/price_list';
import { fromNanoDollars, toNanoDollars } from '../../utils/dollars';

type Library = typeof import('@pydantic/genai-prices');

/** Version of the package and the day on which it was published; a test compares the version. */
export const PRICE_LIST = { priceList: 'genai-prices 0.1.8', priceDate: '2026-09-23' };

const OPENAI_URL = 'https://api.openai.com/v1';

/** Loads the list, which takes about 25 ms, with the first model whose server is not on this machine. */
export function createPriceList(): PriceList {
  let library: Library | undefined;
  return {
    findCost({ model, baseUrl = OPENAI_URL }, usage) {
      if (isLocal(baseUrl)) return undefined;
      library ??= require('@pydantic/genai-prices') as Library;
      return costFrom(library, { model, baseUrl }, usage);
    },
    describe({ model, baseUrl = OPENAI_URL }) {
      if (isLocal(baseUrl)) return undefined;
      library ??= require('@pydantic/genai-prices') as Library;
      return describeFrom(library, { model, baseUrl });
    },
  };
}

function costFrom({ calcPrice, findProvider }: Library, { model, baseUrl }: Required<PricedModel>, usage: Usage): number | undefined {
  const provider = findProvider({ providerApiUrl: baseUrl });
  if (!provider) return undefined;
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0, outputTokens } = usage;
  const cached = Math.min(cachedTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - cached);
  const tokens = { input_tokens: inputTokens, cache_read_tokens: cached, cache_write_tokens: written, output_tokens: outputTokens };
  try {
    const price = calcPrice(tokens, model, { provider });
    return price ? fromNanoDollars(toNanoDollars(price.total_price)) : undefined;
  } catch {
    // The list has the model, but no price for one kind of these tokens, so the cost is unknown.
    return undefined;
  }
}

function describeFrom({ calcPrice, findProvider }: Library, { model, baseUrl }: Required<PricedModel>): ListedPrice | undefined {
  const provider = findProvider({ providerApiUrl: baseUrl });
  const found = provider && calcPrice({ input_tokens: 1 }, model, { provider });
  if (!found) return undefined;
  const [input, output, cachedInput, cacheWrite] = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok'].map(name =>
    firstTier(found.model_price[name]),
  );
  if (input === undefined || output === undefined) return undefined;
  return { price: { input, output, cachedInput, cacheWrite }, ...PRICE_LIST };
}

const firstTier = (price: number | { base: number } | undefined): number | undefined => (typeof price === 'object' ? price.base : price);

/** A server on this machine has no public price, whatever its models are called. */
function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
