/** Accepts requests from programs of this machine, pages of this gateway, and pages of origins that the operator allows. */

export interface RequestSource {
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses DNS rebinding (Host must be a loopback address) and pages of other addresses, those of other ports of this machine too. `origins` are
 * allowed besides the gateway's own. Programs send no Origin and are served.
 */
export function isLocalRequest({ method, headers }: RequestSource, origins: readonly string[] = []): boolean {
  const { host, origin } = headers;
  if (typeof host !== 'string' || !isLoopbackUrl(`http://${host}`)) return false;
  if (origin === undefined) return isFromHere(method, headers);
  return typeof origin === 'string' && (isOwnOrigin(origin, host) || origins.includes(origin));
}

/** The Host header is the address that the page was served from, also behind a forwarded port; a page cannot choose it. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [page, served] = [new URL(origin), new URL(`http://${host}`)];
  if (page.protocol !== 'http:' || page.port !== served.port) return false;
  return page.hostname === served.hostname || (LOOPBACK_NAMES.has(page.hostname) && LOOPBACK_NAMES.has(served.hostname));
}

/** Browsers leave out Origin when they only load something, such as an image; then they say whether a page of another address asked. */
function isFromHere(method: string | undefined, headers: RequestSource['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return true;
  // Following a link shows the answer to the person, not to the page with the link.
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
