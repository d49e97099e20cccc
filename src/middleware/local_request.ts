/** Decides which requests a gateway without API keys serves: local programs, its own pages, and pages of allowed origins. */

export interface RequestSource {
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses DNS rebinding (Host must be a loopback address) and cross-origin pages, pages on other ports of this machine included. `origins` are
 * allowed in addition to the gateway's own. Programs send no Origin header and are accepted.
 */
export function isLocalRequest({ method, headers }: RequestSource, origins: readonly string[] = []): boolean {
  const { host, origin } = headers;
  if (typeof host !== 'string' || !isLoopbackUrl(`http://${host}`)) return false;
  if (origin === undefined) return isSameSite(method, headers);
  return typeof origin === 'string' && (isOwnOrigin(origin, host) || origins.includes(origin));
}

/** Compares Origin with Host, the address that served the page, also behind a forwarded port. A page cannot set its Host header. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [page, served] = [new URL(origin), new URL(`http://${host}`)];
  if (page.protocol !== 'http:' || page.port !== served.port) return false;
  return page.hostname === served.hostname || (LOOPBACK_NAMES.has(page.hostname) && LOOPBACK_NAMES.has(served.hostname));
}

/** Browsers omit Origin when they load a resource such as an image; Sec-Fetch-Site then tells whether another site's page asked. */
function isSameSite(method: string | undefined, headers: RequestSource['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return true;
  // A followed link shows the response to the person, not to the linking page.
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
