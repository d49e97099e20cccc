/** The public web: fetches pages, extracts their content, and searches. */

/** The answer of one address, after redirects. */
export interface FetchedPage {
  /** Address of the request. */
  url: string;
  /** Address after the last redirect. */
  finalUrl: string;
  /** HTTP status; error pages are returned like other pages. */
  status: number;
  /** The Content-Type header with its parameters; '' when there is none. */
  contentType: string;
  /** Body after content decoding, at most 2 MiB unless the caller asks for another limit. */
  bytes: Uint8Array;
  /** True when the body was longer and its end is missing. */
  clipped: boolean;
}

export type ExtractType = 'text' | 'links' | 'structured';

export interface PageLink {
  text: string;
  /** Absolute http or https address. */
  url: string;
}

/** Structured content of a page. Lists are truncated to a few hundred entries. */
export interface PageStructure {
  description?: string;
  language?: string;
  /** The first 5,000 characters of the visible text. */
  text: string;
  canonicalUrl?: string;
  headings: { level: number; text: string }[];
  links: PageLink[];
  /** Rows of cells. */
  tables: string[][][];
  /** JSON-LD blocks, parsed. */
  jsonLd: unknown[];
  /** Number of pages of a PDF. */
  pages?: number;
}

export type ExtractedPage = { title?: string /** Some content was left out. */; cut?: boolean } & (
  | { type: 'text' /** Markdown. */; text: string }
  | { type: 'links'; links: PageLink[] }
  | { type: 'structured'; structure: PageStructure }
);

export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
}

/** The search services that this gateway can use. They are tried in this order. */
export const SEARCH_ENGINES = ['searxng', 'brave', 'tavily', 'duckduckgo'] as const;
export type SearchEngineName = (typeof SEARCH_ENGINES)[number];

export interface SearchOptions {
  /** Name of the only service to use. Default: the first of the configured ones that finds something. */
  engine?: string;
  /** Country and language of the results, such as `cn-zh`. A service that knows no regions ignores it. */
  region?: string;
  /** A key in place of the configured one, for an engine that needs a key. */
  apiKey?: string;
}

export interface SearchAnswer {
  /** Name of the provider that answered. */
  provider: string;
  hits: SearchHit[];
}

/** Fetches public pages only: the adapter checks the address of every connection, after each redirect too. */
export interface PageFetcher {
  /** Fetches a page. `maxBytes`: limit of the body. Rejects with WebError, or with the signal's reason. */
  fetch(url: string, signal: AbortSignal, maxBytes?: number): Promise<FetchedPage>;
}

/**
 * @example
 * import { type SearchEngine, WebError } from './web';
 *
 * // Searches a service that answers with JSON.
 * export const exampleSearch: SearchEngine = {
 *   async search(query, maxResults, signal) {
 *     const answer = await fetch(`https://search.example/?q=${encodeURIComponent(query)}`, { signal });
 *     if (!answer.ok) throw new WebError('search_failed', 'The search failed.', '搜索失败。', { isTransient: answer.status >= 500 });
 *     const hits = (await answer.json()) as { title: string; url: string; snippet: string }[];
 *     return { provider: 'example', hits: hits.slice(0, maxResults) };
 *   },
 * };
 */
export interface SearchEngine {
  /** Searches the web. Resolves with at most maxResults hits, best first. Rejects with WebError, or with the signal's reason. */
  search(query: string, maxResults: number, signal: AbortSignal, options?: SearchOptions): Promise<SearchAnswer>;
}

/** Extracts the content of a page without blocking the event loop, within a time and memory limit. */
export interface PageExtractor {
  /** Extracts the content of a page. Rejects with WebError (`unsupported_content`, `unreadable`), or with the signal's reason. */
  extract(page: FetchedPage, type: ExtractType, signal: AbortSignal): Promise<ExtractedPage>;
}

export interface WebAccess extends PageFetcher, SearchEngine, PageExtractor {
  /** Terminates the running extractions and rejects them. */
  close(): Promise<void>;
}

export type WebErrorCode =
  /** The text is no http or https address. */
  | 'bad_url'
  /** The address is private or reserved, or the port is not allowed. */
  | 'forbidden_address'
  | 'unknown_host'
  | 'unreachable'
  | 'too_slow'
  | 'too_many_redirects'
  /** The content is neither text nor PDF. */
  | 'unsupported_content'
  /** The content is damaged, or parsing it exceeds the time or memory limit. */
  | 'unreadable'
  | 'search_not_configured'
  /** There is no search service of that name, or it is not set up. */
  | 'unknown_engine'
  | 'search_failed';

/** An expected failure. The message is one sentence for the model and contains no secret. Runs in Chinese get `messageZh`. */
export class WebError extends Error {
  /** A retry may succeed. */
  readonly isTransient: boolean;

  constructor(
    readonly code: WebErrorCode,
    message: string,
    readonly messageZh: string,
    { isTransient = false, ...options }: ErrorOptions & { isTransient?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'WebError';
    this.isTransient = isTransient;
  }
}

/** Returns true for an HTTP status that a retry may change. */
export const isTransientStatus = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);
