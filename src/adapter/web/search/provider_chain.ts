/** Combines search services: the first one with hits answers. */
import { type SearchEngine, type SearchHit, WebError } from '../../../port/web';
import type { SearchProvider } from './search_provider';

const MAX_SNIPPET = 500;
const MAX_TITLE = 200;

export function createProviderChain(providers: readonly SearchProvider[]): SearchEngine {
  return {
    async search(query, maxResults, signal) {
      if (providers.length === 0) throw notConfigured();
      const failures: string[] = [];
      let isTransient = false;
      let empty: string | undefined;
      for (const provider of providers) {
        try {
          const hits = tidy(await provider.search(query, maxResults, signal), maxResults);
          if (hits.length > 0) return { provider: provider.name, hits };
          empty ??= provider.name;
        } catch (thrown) {
          if (!(thrown instanceof WebError)) throw thrown;
          isTransient ||= thrown.isTransient;
          failures.push(`${provider.name}: ${thrown.message.replace(/\.$/, '')}`);
        }
      }
      if (empty !== undefined) return { provider: empty, hits: [] };
      throw new WebError('search_failed', `No search service answered. ${failures.join('; ')}.`, { isTransient });
    },
  };
}

const notConfigured = (): WebError =>
  new WebError(
    'search_not_configured',
    'No search service is set up. The operator can set NETA_SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY or NETA_SEARCH_DUCKDUCKGO=1.',
  );

/** Returns each address once, best first. */
function tidy(hits: readonly SearchHit[], maxResults: number): SearchHit[] {
  const byUrl = new Map<string, SearchHit>();
  for (const { title, url, snippet } of hits) {
    if (!byUrl.has(url)) byUrl.set(url, { title: title.slice(0, MAX_TITLE), url, snippet: snippet.slice(0, MAX_SNIPPET) });
  }
  return [...byUrl.values()].slice(0, maxResults);
}
