/** Creates web access (fetching, extraction, search) from the settings. */
import type { WebAccess } from '../../port/web';
import { portOf } from './address_policy';
import { createPageFetcher, createRequester, type PageFetcherOptions } from './page_fetcher';
import { createPageWorker, type PageWorker, type PageWorkerOptions } from './page_worker';
import { createBrave } from './search/brave';
import { createDuckDuckGo } from './search/duckduckgo';
import { type CreateKeyedProvider, createProviderChain } from './search/provider_chain';
import type { SearchProvider } from './search/search_provider';
import { createSearxng } from './search/searxng';
import { createTavily } from './search/tavily';

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

export function createWebAccess(settings: WebSettings, options: WebAccessOptions = {}): WebAccess {
  const { fetchAllow, fetchTimeoutMs, userAgent } = settings;
  const worker = createPageWorker(options.worker);
  const fetcher = createPageFetcher({
    ...options.fetcher,
    ...(fetchTimeoutMs !== undefined && { limits: { ...options.fetcher?.limits, totalMs: fetchTimeoutMs } }),
    ...(userAgent !== undefined && { userAgent }),
    allow: fetchAllow,
  });
  const engine = createProviderChain(createProviders(settings, worker, options), createKeyedProviders(settings, options));
  return {
    fetch: (url, signal) => fetcher.fetch(url, signal),
    search: (query, maxResults, signal, wanted) => engine.search(query, maxResults, signal, wanted),
    extract: (page, type, signal) => worker.extract(page, type, signal),
    close: () => worker.close(),
  };
}

function createProviders(settings: WebSettings, worker: PageWorker, { fetcher, endpoints = {} }: WebAccessOptions): SearchProvider[] {
  const { fetchAllow, searxngUrl, braveApiKey, tavilyApiKey, duckDuckGo } = settings;
  const send = createRequester({ ...fetcher, allow: fetchAllow });
  const providers: SearchProvider[] = [];
  if (searxngUrl) {
    // The operator configured this address, so searches may reach it although it is private. Pages are not fetched from it.
    const url = new URL(searxngUrl);
    const sendThere = createRequester({ ...fetcher, allow: [`${url.hostname}:${portOf(url)}`] });
    providers.push(createSearxng(searxngUrl, sendThere));
  }
  if (braveApiKey) providers.push(createBrave(braveApiKey, send, endpoints.brave));
  if (tavilyApiKey) providers.push(createTavily(tavilyApiKey, send, endpoints.tavily));
  if (duckDuckGo) providers.push(createDuckDuckGo(worker.readResults, send, endpoints.duckDuckGo));
  return providers;
}

/** Providers with the key of a tool's own settings. */
function createKeyedProviders({ fetchAllow }: WebSettings, { fetcher, endpoints = {} }: WebAccessOptions): CreateKeyedProvider {
  const send = createRequester({ ...fetcher, allow: fetchAllow });
  return (engine, apiKey) => {
    if (engine === 'brave') return createBrave(apiKey, send, endpoints.brave);
    return engine === 'tavily' ? createTavily(apiKey, send, endpoints.tavily) : undefined;
  };
}
