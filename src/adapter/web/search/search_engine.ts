/** Creates the search services that the settings name, as one engine. */
import type { SearchEngine } from '../../../port/web';
import { portOf } from '../address_policy';
import { createRequester } from '../page_fetcher';
import type { PageWorker } from '../page_worker';
import type { WebAccessOptions, WebSettings } from '../web_settings';
import { createBrave } from './brave';
import { createDuckDuckGo } from './duckduckgo';
import { type CreateKeyedProvider, createProviderChain } from './provider_chain';
import type { SearchProvider } from './search_provider';
import { createSearxng } from './searxng';
import { createTavily } from './tavily';

export const createSearchEngine = (settings: WebSettings, worker: PageWorker, options: WebAccessOptions): SearchEngine =>
  createProviderChain(createProviders(settings, worker, options), createKeyedProviders(settings, options));

function createProviders(settings: WebSettings, worker: PageWorker, { fetcher, endpoints = {} }: WebAccessOptions): SearchProvider[] {
  const { fetchAllow, searxngUrl, braveApiKey, tavilyApiKey, duckDuckGo } = settings;
  const send = createRequester({ ...fetcher, allow: fetchAllow });
  const providers: SearchProvider[] = [];
  if (searxngUrl) {
    // The operator configured this address, so searches may reach it although it is private. Pages are not fetched from this address.
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
