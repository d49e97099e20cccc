/** The public web: pages are fetched, understood and searched for by three services apart from the tools that use them. */

/** What came from one address, after redirects. */
export interface FetchedPage {
  /** As asked for. */
  url: string;
  /** Where the last redirect led. */
  finalUrl: string;
  /** HTTP status; an error page is a page too. */
  status: number;
  /** The header as it came, parameters included; '' when there is none. */
  contentType: string;
  /** Decoded, at most 2 MiB. */
  bytes: Uint8Array;
  /** The page was longer and its end is missing. */
  clipped: boolean;
}

export type ExtractType = 'text' | 'links' | 'structured';

export interface PageLink {
  text: string;
  /** Absolute http or https address. */
  url: string;
}

/** What a program would read off a page. Lists are cut at a few hundred entries. */
export interface PageStructure {
  description?: string;
  language?: string;
  /** The first 5,000 characters of what a reader sees. */
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

export type ExtractedPage = { title?: string /** Some of the content was left out. */; cut?: boolean } & (
  | { type: 'text' /** Markdown. */; text: string }
  | { type: 'links'; links: PageLink[] }
  | { type: 'structured'; structure: PageStructure }
);

export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
}

export interface SearchAnswer {
  /** Name of the provider that answered. */
  provider: string;
  hits: SearchHit[];
}

/** Fetches public pages only: every address is checked where the connection is made, on every hop. Rejects WebError, or the signal's reason. */
export interface PageFetcher {
  fetch(url: string, signal: AbortSignal): Promise<FetchedPage>;
}

/** Rejects WebError, or the signal's reason. */
export interface SearchEngine {
  search(query: string, maxResults: number, signal: AbortSignal): Promise<SearchAnswer>;
}

/** Understands what was fetched, away from the event loop, with a budget of time and memory. Rejects WebError, or the signal's reason. */
export interface PageExtractor {
  extract(page: FetchedPage, type: ExtractType, signal: AbortSignal): Promise<ExtractedPage>;
}

export interface WebAccess extends PageFetcher, SearchEngine, PageExtractor {
  /** Ends what is running. */
  close(): Promise<void>;
}

export type WebErrorCode =
  /** Not an address of a web page at all. */
  | 'bad_url'
  /** A private or otherwise special address, or a port that is not for web pages. */
  | 'forbidden_address'
  | 'unknown_host'
  | 'unreachable'
  | 'too_slow'
  | 'too_many_redirects'
  /** Bytes that are no text and no PDF. */
  | 'unsupported_content'
  /** The content is damaged, or too hard to read within the budget. */
  | 'unreadable'
  | 'search_not_configured'
  | 'search_failed';

/** An expected failure. The message is one sentence for the model and holds no secret. */
export class WebError extends Error {
  /** The same may succeed a moment later. */
  readonly isTransient: boolean;

  constructor(
    readonly code: WebErrorCode,
    message: string,
    { isTransient = false, ...options }: ErrorOptions & { isTransient?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'WebError';
    this.isTransient = isTransient;
  }
}

/** Whether a server that answered with this HTTP status may answer otherwise in a moment. */
export const isTransientStatus = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);
