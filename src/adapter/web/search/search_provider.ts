import type { SearchHit } from '../../../port/web';

/** One search service. */
export interface SearchProvider {
  readonly name: string;
  /** Resolves hits, best first, perhaps more than requested. Rejects with WebError. */
  search(query: string, maxResults: number, signal: AbortSignal): Promise<SearchHit[]>;
}
