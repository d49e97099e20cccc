/** Combines search services: the first one with hits answers. */
import { SEARCH_ENGINES, type SearchEngine, type SearchHit, type SearchOptions, WebError } from '../../../port/web';
import type { Bilingual } from '../../../utils/bilingual';
import type { SearchProvider } from './search_provider';

const MAX_SNIPPET = 500;
const MAX_TITLE = 200;

/** `createKeyed`: a provider with a key of the caller; undefined for a service without keys. */
export type CreateKeyedProvider = (engine: string, apiKey: string) => SearchProvider | undefined;

export function createProviderChain(
  configured: readonly SearchProvider[],
  createKeyed: CreateKeyedProvider = () => undefined,
): SearchEngine {
  return {
    async search(query, maxResults, signal, options = {}) {
      const providers = chooseProviders(configured, options, createKeyed);
      const region = options.region?.toLowerCase();
      const wanted = { query, maxResults, region };
      const failures: Bilingual[] = [];
      let isTransient = false;
      let empty: string | undefined;
      for (const provider of providers) {
        try {
          const hits = tidy(await provider.search(wanted, signal), maxResults);
          if (hits.length > 0) return { provider: provider.name, hits };
          empty ??= provider.name;
        } catch (thrown) {
          if (!(thrown instanceof WebError)) throw thrown;
          isTransient ||= thrown.isTransient;
          failures.push({
            en: `${provider.name}: ${thrown.message.replace(/\.$/, '')}`,
            'zh-CN': `${provider.name}：${thrown.messageZh.replace(/。$/, '')}`,
          });
        }
      }
      if (empty !== undefined) return { provider: empty, hits: [] };
      throw new WebError(
        'search_failed',
        `No search service answered. ${failures.map(({ en }) => en).join('; ')}.`,
        `没有搜索服务应答。${failures.map(failure => failure['zh-CN']).join('；')}。`,
        { isTransient },
      );
    },
  };
}

function chooseProviders(
  configured: readonly SearchProvider[],
  { engine, apiKey }: SearchOptions,
  createKeyed: CreateKeyedProvider,
): readonly SearchProvider[] {
  const keyed = engine !== undefined && apiKey ? createKeyed(engine, apiKey) : undefined;
  if (keyed) return [keyed];
  if (engine === undefined) {
    if (configured.length === 0) throw notConfigured();
    return configured;
  }
  const named = configured.find(({ name }) => name === engine);
  if (named) return [named];
  const isKnown = (SEARCH_ENGINES as readonly string[]).includes(engine);
  const names = configured.map(({ name }) => name);
  const ready = names.length > 0 ? `Set up here: ${names.join(', ')}.` : 'None is set up here.';
  const readyZh = names.length > 0 ? `已配置：${names.join('、')}。` : '这里没有配置任何搜索引擎。';
  const problem = isKnown ? `The search engine ${engine} is not set up.` : `There is no search engine ${engine.slice(0, 40)}.`;
  const problemZh = isKnown ? `搜索引擎 ${engine} 没有配置。` : `没有搜索引擎 ${engine.slice(0, 40)}。`;
  throw new WebError('unknown_engine', `${problem} ${ready}`, problemZh + readyZh);
}

const notConfigured = (): WebError =>
  new WebError(
    'search_not_configured',
    'No search service is set up. The operator can set NETA_SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY or NETA_SEARCH_DUCKDUCKGO=1.',
    '没有配置搜索服务。运维人员可以设置 NETA_SEARXNG_URL、BRAVE_API_KEY、TAVILY_API_KEY 或 NETA_SEARCH_DUCKDUCKGO=1。',
  );

/** Returns each address once, best first. */
function tidy(hits: readonly SearchHit[], maxResults: number): SearchHit[] {
  const byUrl = new Map<string, SearchHit>();
  for (const { title, url, snippet } of hits) {
    if (!byUrl.has(url)) byUrl.set(url, { title: title.slice(0, MAX_TITLE), url, snippet: snippet.slice(0, MAX_SNIPPET) });
  }
  return [...byUrl.values()].slice(0, maxResults);
}
