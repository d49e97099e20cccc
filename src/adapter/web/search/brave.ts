import type { SendRequest } from '../page_fetcher';
import { listIn, toHit } from './search_api';
import type { SearchProvider } from './search_provider';

const BRAVE_URL = 'https://api.search.brave.com/res/v1/web/search';
const MAX_COUNT = 20;

export function createBrave(apiKey: string, send: SendRequest, endpoint = BRAVE_URL): SearchProvider {
  return {
    name: 'brave',
    async search(query, maxResults, signal) {
      const url = new URL(endpoint);
      url.search = new URLSearchParams({ q: query, count: String(Math.min(maxResults, MAX_COUNT)) }).toString();
      const page = await send({ url: url.href, headers: { accept: 'application/json', 'x-subscription-token': apiKey } }, signal);
      return listIn(page, 'web', 'results').flatMap(({ title, url: address, description }) =>
        toHit({ title, url: address, snippet: description }),
      );
    },
  };
}
