import type { SearchHit } from '../../../port/web';

/** One search service. */
export interface SearchProvider {
  readonly name: string;
  /** Rejects WebError; the hits come best first and may be more than asked for. */
  search(query: string, maxResults: number, signal: AbortSignal): Promise<SearchHit[]>;
}
