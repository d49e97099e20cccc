import type { SendRequest } from '../page_fetcher';
import { listIn, toHit } from './search_api';
import type { SearchProvider } from './search_provider';

const TAVILY_URL = 'https://api.tavily.com/search';

export function createTavily(apiKey: string, send: SendRequest, endpoint = TAVILY_URL): SearchProvider {
  return {
    name: 'tavily',
    async search({ query, maxResults }, signal) {
      const headers = { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
      const body = JSON.stringify({ query, max_results: maxResults });
      const page = await send({ url: endpoint, method: 'POST', headers, body }, signal);
      return listIn(page, 'results').flatMap(({ title, url, content }) => toHit({ title, url, snippet: content }));
    },
  };
}
