/** Fetches a page, follows its redirects, and limits size and time. */
import type { IncomingMessage } from 'node:http';
import { type FetchedPage, type PageFetcher, WebError } from '../../port/web';
import { ProxyError } from '../network/proxy_error';
import { createAddressPolicy } from './address_policy';
import { type RequestInput, type RequestOptions, type ResolveHost, requestChecked, resolveWithSystem } from './checked_request';
import { readBody } from './response_body';

export interface FetchLimits {
  /** Limit of the decoded body in bytes. */
  maxBytes: number;
  maxRedirects: number;
  /** Timeout of the whole fetch in milliseconds, redirects and body included. */
  totalMs: number;
  /** Idle timeout in milliseconds. */
  idleMs: number;
}

export interface PageFetcherOptions {
  /** host:port entries that may be reached although they are private. */
  allow?: readonly string[];
  /** Default: the system's resolver. */
  resolve?: ResolveHost;
  limits?: Partial<FetchLimits>;
  userAgent?: string;
}

/** Sends any request; PageFetcher fetches a page by its address alone. */
export type SendRequest = (
  request: Omit<RequestInput, 'url'> & { url: string },
  signal: AbortSignal,
  maxBytes?: number,
) => Promise<FetchedPage>;

const DEFAULT_LIMITS: FetchLimits = { maxBytes: 2 * 1024 * 1024, maxRedirects: 5, totalMs: 15_000, idleMs: 8_000 };
const REDIRECTS = [301, 302, 303, 307, 308];

export function createPageFetcher(options: PageFetcherOptions = {}): PageFetcher {
  const send = createRequester(options);
  return { fetch: (url, signal, maxBytes) => send({ url }, signal, maxBytes) };
}

/** Creates the sender of requests with headers and a body. It refuses redirects, because such a request may carry a key. */
export function createRequester({ allow = [], resolve = resolveWithSystem, limits: given, userAgent }: PageFetcherOptions): SendRequest {
  const policy = createAddressPolicy(allow);
  const limits = { ...DEFAULT_LIMITS, ...given };
  return async (request, signal, maxBytes = limits.maxBytes) => {
    signal.throwIfAborted();
    const limit = new AbortController();
    const stop = (what: string, whatZh: string) =>
      limit.abort(new WebError('too_slow', `The page ${what} and was given up.`, `页面${whatZh}，已放弃。`));
    const timer = setTimeout(
      () => stop(`took longer than ${limits.totalMs / 1000} s`, `在 ${limits.totalMs / 1000} 秒内没有读完`),
      limits.totalMs,
    );
    const onIdle = () => stop(`sent nothing for ${limits.idleMs / 1000} s`, `在 ${limits.idleMs / 1000} 秒内没有发来任何内容`);
    const end = AbortSignal.any([signal, limit.signal]);
    try {
      const url = policy.checkUrl(request.url);
      const carriesMore = request.headers !== undefined || request.body !== undefined;
      const hops = { maxRedirects: carriesMore ? 0 : limits.maxRedirects, maxBytes };
      const page = await follow({ ...request, url }, hops, { policy, resolve, signal: end, idleMs: limits.idleMs, onIdle, userAgent });
      return { url: request.url, ...page };
    } catch (thrown) {
      signal.throwIfAborted();
      limit.signal.throwIfAborted();
      throw toWebError(thrown);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function follow(
  request: RequestInput,
  { maxRedirects, maxBytes }: { maxRedirects: number; maxBytes: number },
  options: RequestOptions,
): Promise<Omit<FetchedPage, 'url'>> {
  let { url } = request;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const incoming = await requestChecked({ ...request, url }, options);
    const next = redirectOf(incoming);
    if (next === undefined) return { finalUrl: url.href, ...(await readPage(incoming, maxBytes)) };
    incoming.destroy();
    url = options.policy.checkUrl(next, url);
  }
  throw new WebError(
    'too_many_redirects',
    `The address redirects more than ${maxRedirects} times.`,
    `该网址重定向超过 ${maxRedirects} 次。`,
  );
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return REDIRECTS.includes(statusCode) ? headers.location : undefined;
}

async function readPage(incoming: IncomingMessage, maxBytes: number): Promise<Omit<FetchedPage, 'url' | 'finalUrl'>> {
  try {
    const body = await readBody(incoming, maxBytes);
    return { status: incoming.statusCode ?? 0, contentType: incoming.headers['content-type'] ?? '', ...body };
  } finally {
    incoming.destroy();
  }
}

/** Converts errors of the network and the decompression into WebErrors, without internals. */
function toWebError(thrown: unknown): Error {
  if (thrown instanceof WebError) return thrown;
  if (thrown instanceof ProxyError)
    return new WebError('unreachable', thrown.message, thrown.messageZh, { cause: thrown, isTransient: thrown.isPassing });
  const code = codeOf(thrown);
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING|ERR_FORMAT|BROTLI_)/.test(code)) {
    return new WebError('unreadable', 'The page is packed in a damaged way.', '页面的压缩数据已损坏。', { cause: thrown });
  }
  return new WebError(
    'unreachable',
    `The server cannot be reached or broke off${code && ` (${code})`}.`,
    `无法连接服务器，或连接中断${code && `（${code}）`}。`,
    { cause: thrown, isTransient: true },
  );
}

function codeOf(thrown: unknown): string {
  const { code, errors } = thrown as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  return errors?.[0] ? codeOf(errors[0]) : '';
}
