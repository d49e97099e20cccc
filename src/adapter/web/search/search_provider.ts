import type { SearchEngineName, SearchHit } from '../../../port/web';

export interface ProviderQuery {
  query: string;
  maxResults: number;
  /** Country and language in lower case, such as `cn-zh`. */
  region?: string;
}

/** One search service. */
export interface SearchProvider {
  readonly name: SearchEngineName;
  /** Searches for `query`. Resolves with hits, best first, perhaps more than requested. Rejects with WebError. */
  search(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]>;
}

/** Splits `cn-zh` into country and language, for services that want them apart. */
export function splitRegion(region: string): { country: string; language: string } {
  const [country = '', language = ''] = region.split('-');
  return { country, language };
}
