import type { SendRequest } from '../page_fetcher';
import { listIn, toHit } from './search_api';
import { type SearchProvider, splitRegion } from './search_provider';

const BRAVE_URL = 'https://api.search.brave.com/res/v1/web/search';
const MAX_COUNT = 20;

export function createBrave(apiKey: string, send: SendRequest, endpoint = BRAVE_URL): SearchProvider {
  return {
    name: 'brave',
    async search({ query, maxResults, region }, signal) {
      const url = new URL(endpoint);
      const place = region === undefined ? {} : toPlace(region);
      url.search = new URLSearchParams({ q: query, count: String(Math.min(maxResults, MAX_COUNT)), ...place }).toString();
      const page = await send({ url: url.href, headers: { accept: 'application/json', 'x-subscription-token': apiKey } }, signal);
      return listIn(page, 'web', 'results').flatMap(({ title, url: address, description }) =>
        toHit({ title, url: address, snippet: description }),
      );
    },
  };
}

/** Brave has its own names for Chinese. */
const LANGUAGES: Record<string, string> = { zh: 'zh-hans' };

function toPlace(region: string): Record<string, string> {
  const { country, language } = splitRegion(region);
  return { country: country.toUpperCase(), search_lang: LANGUAGES[language] ?? language };
}
