/** Creates web access (fetching, extraction, search) from the settings. */
import type { WebAccess } from '../../port/web';
import { createPageFetcher } from './page_fetcher';
import { createPageWorker } from './page_worker';
import { createSearchEngine } from './search/search_engine';
import type { WebAccessOptions, WebSettings } from './web_settings';

export function createWebAccess(settings: WebSettings, options: WebAccessOptions = {}): WebAccess {
  const { fetchAllow, fetchTimeoutMs, userAgent } = settings;
  const worker = createPageWorker(options.worker);
  const fetcher = createPageFetcher({
    ...options.fetcher,
    limits: fetchTimeoutMs === undefined ? options.fetcher?.limits : { ...options.fetcher?.limits, totalMs: fetchTimeoutMs },
    userAgent: userAgent ?? options.fetcher?.userAgent,
    allow: fetchAllow,
  });
  const engine = createSearchEngine(settings, worker, options);
  return {
    fetch: (url, signal, maxBytes) => fetcher.fetch(url, signal, maxBytes),
    search: (query, maxResults, signal, wanted) => engine.search(query, maxResults, signal, wanted),
    extract: (page, type, signal) => worker.extract(page, type, signal),
    close: () => worker.close(),
  };
}
