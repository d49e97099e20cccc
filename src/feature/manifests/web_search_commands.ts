/** The commands of the manifest web_search, over the web access of the gateway. */
import { errorResult, inLocale, type ToolContext, type ToolResult } from '../../tools/common';
import { untrustedText } from '../../tools/untrusted_text';
import { webRefusal, withoutWeb } from '../../tools/web_page';
import { type DeepSearchOutcome, type ResearchOptions, type SearchOutcome, searchDeeply, searchSources } from '../../tools/web_research';
import type { GatewayCall, GatewayCommand } from './gateway_command';

const MAX_RESULTS = 20;
const DEFAULT_RESULTS = 10;
/** Engine that a key is for when the settings name none. */
const DEFAULT_KEYED_ENGINE = 'brave';

export const WEB_SEARCH_COMMANDS: Readonly<Record<'search' | 'deep_search', GatewayCommand>> = { search, deep_search: deepSearch };

async function search(call: GatewayCall): Promise<ToolResult> {
  const { args, ctx } = call;
  const query = textOf(args['query']);
  if (query === '') return emptyQuery(ctx);
  if (!ctx.web) return withoutWeb(ctx);
  try {
    const found = await searchSources(ctx.web, [query], optionsOf(call));
    const value = { query, ...found, total: found.results.length };
    return { ok: true, content: untrustedText(searchText(found, ctx), `search: ${query}`, ctx), value };
  } catch (thrown) {
    return webRefusal(thrown, ctx);
  }
}

async function deepSearch(call: GatewayCall): Promise<ToolResult> {
  const { args, ctx } = call;
  const query = textOf(args['query']);
  if (query === '') return emptyQuery(ctx);
  if (!ctx.web) return withoutWeb(ctx);
  const keywords = listOf(args['keywords']);
  try {
    ctx.onOutput(inLocale(ctx, `Searching: ${[query, ...keywords].join(', ')}\n`, `正在搜索：${[query, ...keywords].join('、')}\n`));
    const found = await searchDeeply(ctx.web, { query, keywords }, optionsOf(call));
    const value = { query, keywords, ...found, total: found.sources.length };
    return { ok: true, content: untrustedText(deepSearchText(found, ctx), `search: ${query}`, ctx), value };
  } catch (thrown) {
    return webRefusal(thrown, ctx);
  }
}

function optionsOf({ args, settings, ctx }: GatewayCall): ResearchOptions {
  const [apiKey, engine, region] = ['api_key', 'engine', 'region'].map(name => textOf(settings[name]));
  const preferred = engine || (apiKey && DEFAULT_KEYED_ENGINE);
  const asked = listOf(args['sources']);
  const sources = asked.length > 0 ? asked : preferred ? [preferred] : [];
  return {
    sources,
    maxResults: Math.min(MAX_RESULTS, numberOf(args['max_results']) ?? numberOf(settings['max_results']) ?? DEFAULT_RESULTS),
    signal: ctx.signal,
    locale: ctx.locale,
    region: region || undefined,
    key: apiKey && preferred ? { engine: preferred, value: apiKey } : undefined,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf).filter(text => text !== '') : []);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && value >= 1 ? Math.floor(value) : undefined);

const emptyQuery = (ctx: ToolContext): ToolResult =>
  errorResult(inLocale(ctx, 'query: must not be blank. Name what to search for.', 'query：不能为空，请写明要搜索的内容。'));

function searchText({ results }: SearchOutcome, ctx: ToolContext): string {
  if (results.length === 0) return nothingFound(ctx);
  return results
    .map(({ title, url, snippet, sources }, index) => `${index + 1}. ${title} (${sources.join(', ')})\n   ${url}\n   ${snippet}`)
    .join('\n\n');
}

function deepSearchText({ summary, sources }: DeepSearchOutcome, ctx: ToolContext): string {
  if (sources.length === 0) return nothingFound(ctx);
  const none = inLocale(ctx, '(no sentence about it was found)', '（没有找到相关的句子）');
  const list = sources.map(({ number, title, url, problem }) => `[${number}] ${title}\n    ${url}${problem ? ` (${problem})` : ''}`);
  const [summaryTitle, sourcesTitle] = [inLocale(ctx, 'Summary', '摘要'), inLocale(ctx, 'Sources', '来源')];
  return [`## ${summaryTitle}`, summary || none, `## ${sourcesTitle}`, ...list].join('\n');
}

const nothingFound = (ctx: ToolContext): string => inLocale(ctx, 'Nothing was found. Try other words.', '没有找到结果，请换一些词。');
