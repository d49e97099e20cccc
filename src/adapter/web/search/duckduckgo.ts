import type { FetchedPage, SearchHit } from '../../../port/web';
import type { SendRequest } from '../page_fetcher';
import { assertAnswered } from './search_api';
import type { SearchProvider } from './search_provider';

const DUCKDUCKGO_URL = 'https://html.duckduckgo.com/html/';

/** Searches the plain HTML site: needs no key, but may refuse programs at any time. */
export function createDuckDuckGo(
  readResults: (page: FetchedPage, signal: AbortSignal) => Promise<SearchHit[]>,
  send: SendRequest,
  endpoint = DUCKDUCKGO_URL,
): SearchProvider {
  return {
    name: 'duckduckgo',
    async search({ query, region }, signal) {
      const url = new URL(endpoint);
      url.search = new URLSearchParams({ q: query, ...(region !== undefined && { kl: region }) }).toString();
      const page = await send({ url: url.href }, signal);
      assertAnswered(page);
      return readResults(page, signal);
    },
  };
}
