/** Searches several sources at once, and reads the best pages to summarise them. */
import { type SearchHit, type SearchOptions, type WebAccess, WebError } from '../port/web';
import { clipStart } from '../utils/clip_text';
import { mapLimited } from '../utils/map_limited';
import { inLocale, type ToolLocale } from './common';
import { extractSummary } from './extract_summary';
import { readPage } from './web_page';

export interface ResearchOptions extends Omit<SearchOptions, 'engine' | 'apiKey'> {
  /** A key for one engine; no other engine is sent it. */
  key?: { engine: string; value: string };
  /** Names of search engines. Absent or empty: the first configured one that finds something. */
  sources?: readonly string[];
  maxResults: number;
  signal: AbortSignal;
  /** Language of the problems in the outcome. */
  locale: ToolLocale;
}

export interface SourcedHit extends SearchHit {
  /** Names of the engines that found the hit. */
  sources: string[];
}

/** The result of one engine for one query. */
export interface SourceReport {
  source: string;
  query: string;
  hits: number;
  error?: string;
}

export interface SearchOutcome {
  results: SourcedHit[];
  searches: SourceReport[];
}

export interface DeepSearchOutcome {
  /** Sentences of the pages, each with the number of its source in brackets. */
  summary: string;
  sources: { number: number; title: string; url: string; snippet: string; read: boolean; problem?: string }[];
  searches: SourceReport[];
}

const PARALLEL_SEARCHES = 3;
const PARALLEL_PAGES = 3;
/** Pages that are read for a summary. */
const MAX_PAGES = 5;
/** Constant of reciprocal rank fusion (Cormack et al., 2009). */
const FUSION = 60;
const MAX_KEYWORDS = 8;

/** Searches several sources. Rejects with WebError when no search succeeded, also for the name of an engine that does not exist. */
export async function searchSources(web: WebAccess, queries: readonly string[], options: ResearchOptions): Promise<SearchOutcome> {
  const { sources = [], maxResults, signal, region, key, locale } = options;
  const engines = sources.length > 0 ? [...new Set(sources)] : [undefined];
  const jobs = queries.flatMap(query => engines.map(engine => ({ query, engine })));
  const searchOptionsOf = (engine: string | undefined): SearchOptions => ({
    region,
    engine,
    apiKey: key && engine === key.engine ? key.value : undefined,
  });
  const found = await mapLimited(jobs, PARALLEL_SEARCHES, async ({ query, engine }) => {
    try {
      const { provider, hits } = await web.search(query, maxResults, signal, searchOptionsOf(engine));
      return { source: provider, query, hits };
    } catch (thrown) {
      // A name that does not exist is a mistake of the caller; any other failure of one source does not stop the other sources.
      if (!(thrown instanceof WebError) || thrown.code === 'unknown_engine') throw thrown;
      return { source: engine ?? '', query, hits: [], thrown };
    }
  });
  const failures = found.flatMap(({ thrown }) => thrown ?? []);
  if (failures.length === found.length && failures[0]) throw failures[0];
  const searches = found.map(({ source, query, hits, thrown }) => ({
    source,
    query,
    hits: hits.length,
    error: thrown && inLocale({ locale }, thrown.message, thrown.messageZh),
  }));
  return { results: mergeHits(found).slice(0, maxResults), searches };
}

/** Searches for the subject, alone and with each keyword, reads the best pages, and summarises what they say. Rejects as `searchSources` does. */
export async function searchDeeply(
  web: WebAccess,
  { query, keywords }: { query: string; keywords: readonly string[] },
  options: ResearchOptions,
): Promise<DeepSearchOutcome> {
  const queries = [query, ...keywords.slice(0, MAX_KEYWORDS).map(keyword => `${query} ${keyword}`)];
  const { results, searches } = await searchSources(web, [...new Set(queries)], options);
  const pages = await mapLimited(results.slice(0, MAX_PAGES), PARALLEL_PAGES, hit => readText(web, hit.url, options));
  const subject = [query, ...keywords].join(' ');
  // A page that cannot be read is represented by its snippet.
  const texts = results.map(({ snippet }, index) => ({ number: index + 1, text: pages[index]?.text ?? snippet }));
  const sources = results.map(({ title, url, snippet }, index) => {
    const problem = pages[index]?.problem;
    return { number: index + 1, title, url, snippet, read: pages[index]?.text !== undefined, problem };
  });
  return { summary: extractSummary(texts, subject), sources, searches };
}

const MAX_PAGE_UNITS = 50_000;

async function readText(web: WebAccess, url: string, { signal, locale }: ResearchOptions): Promise<{ text?: string; problem?: string }> {
  try {
    const { extracted } = await readPage(web, url, { type: 'text', signal });
    return extracted.type === 'text' ? { text: clipStart(extracted.text, MAX_PAGE_UNITS) } : {};
  } catch (thrown) {
    signal.throwIfAborted();
    const known = thrown instanceof WebError ? thrown : { message: 'The page could not be read.', messageZh: '页面无法读取。' };
    return { problem: inLocale({ locale }, known.message, known.messageZh) };
  }
}

/** Joins hits with the same address; an address that many searches found, or found early, comes first. */
function mergeHits(found: readonly { source: string; hits: readonly SearchHit[] }[]): SourcedHit[] {
  const merged = new Map<string, { hit: SourcedHit; score: number }>();
  for (const { source, hits } of found) {
    for (const [rank, hit] of hits.entries()) {
      const known = merged.get(hit.url) ?? { hit: { ...hit, sources: [] }, score: 0 };
      known.score += 1 / (FUSION + rank);
      if (!known.hit.sources.includes(source)) known.hit.sources.push(source);
      merged.set(hit.url, known);
    }
  }
  return [...merged.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}
