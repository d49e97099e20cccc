/** Creates web access (fetching, extraction, search) from the settings. */
import type { PageFetcher, SearchEngine, WebAccess } from '../../port/web';
import { createPageWorker } from './page_worker';
import type { WebAccessOptions, WebSettings } from './web_settings';

export function createWebAccess(settings: WebSettings, options: WebAccessOptions = {}): WebAccess {
  const { fetchAllow, fetchTimeoutMs, userAgent } = settings;
  const worker = createPageWorker(options.worker);
  const openFetcher = (): PageFetcher => {
    const { createPageFetcher }: typeof import('./page_fetcher') = require('./page_fetcher');
    return createPageFetcher({
      ...options.fetcher,
      limits: fetchTimeoutMs === undefined ? options.fetcher?.limits : { ...options.fetcher?.limits, totalMs: fetchTimeoutMs },
      userAgent: userAgent ?? options.fetcher?.userAgent,
      allow: fetchAllow,
    });
  };
  let fetcher: PageFetcher | undefined;
  let engine: SearchEngine | undefined;
  return {
    fetch(url, signal) {
      // Loads with the first page.
      fetcher ??= openFetcher();
      return fetcher.fetch(url, signal);
    },
    search: (query, maxResults, signal, wanted) => {
      // The services load with the first search.
      const { createSearchEngine }: typeof import('./search/search_engine') = require('./search/search_engine');
      engine ??= createSearchEngine(settings, worker, options);
      return engine.search(query, maxResults, signal, wanted);
    },
    extract: (page, type, signal) => worker.extract(page, type, signal),
    close: () => worker.close(),
  };
}
