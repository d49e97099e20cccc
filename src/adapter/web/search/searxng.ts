import type { SendRequest } from '../page_fetcher';
import { listIn, toHit } from './search_api';
import { type SearchProvider, splitRegion } from './search_provider';

/** Searches a SearXNG instance, which must have the JSON format enabled. `send` must be allowed to reach it. */
export function createSearxng(baseUrl: string, send: SendRequest): SearchProvider {
  return {
    name: 'searxng',
    async search({ query, region }, signal) {
      const url = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
      url.search = new URLSearchParams({
        q: query,
        format: 'json',
        ...(region !== undefined && { language: toLanguage(region) }),
      }).toString();
      const page = await send({ url: url.href, headers: { accept: 'application/json' } }, signal);
      return listIn(page, 'results').flatMap(({ title, url: address, content }) => toHit({ title, url: address, snippet: content }));
    },
  };
}

/** SearXNG writes the region `cn-zh` as zh-CN. */
function toLanguage(region: string): string {
  const { country, language } = splitRegion(region);
  return `${language}-${country.toUpperCase()}`;
}
