/** Settings of web access. */
import type { PageFetcherOptions } from './page_fetcher';
import type { PageWorkerOptions } from './page_worker';

/** Search services are tried in the order of these fields. */
export interface WebSettings {
  /** host:port entries that may be reached although they are private. */
  fetchAllow: readonly string[];
  /** Milliseconds for one page. Default: 15 s. */
  fetchTimeoutMs?: number;
  userAgent?: string;
  searxngUrl?: string;
  braveApiKey?: string;
  tavilyApiKey?: string;
  duckDuckGo: boolean;
}

export interface WebAccessOptions {
  fetcher?: Omit<PageFetcherOptions, 'allow'>;
  worker?: PageWorkerOptions;
  /** Replaces the usual addresses of the services. */
  endpoints?: { brave?: string; tavily?: string; duckDuckGo?: string };
}
