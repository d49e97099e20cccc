/** Prices of models that the operator gave no price. */
import type { Usage } from './llm';

/** `baseUrl`: base of the API of its server; absent: OpenAI's own. */
export interface PricedModel {
  model: string;
  baseUrl?: string;
}

/**
 * @example
 * import type { PriceList } from './price_list';
 *
 * // A list that knows no model.
 * export const noPrices: PriceList = { findCost: () => undefined, describe: () => undefined };
 */
export interface PriceList {
  /** Returns the cost of one call in USD; undefined when the model or its server is unknown. Never throws and uses no network. */
  findCost(model: PricedModel, usage: Usage): number | undefined;
  /** Returns the price of a model and where it comes from; undefined when the model or its server is unknown. Never throws. */
  describe(model: PricedModel): ListedPrice | undefined;
}

export interface ListedPrice {
  /** US dollars per million tokens; of the first tier, where there are several. */
  price: { input: number; output: number; cachedInput?: number; cacheWrite?: number };
  /** Name and version of the list. */
  priceList: string;
  /** Day on which the list was published. */
  priceDate: string;
}
