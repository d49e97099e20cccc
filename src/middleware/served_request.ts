/** Decides which requests are served: under the gateway's own names, from programs, its own pages, and pages of allowed origins. */
import type { IncomingHttpHeaders } from 'node:http';
import { isScriptForAll, opensEmbeddedChat } from './page_policy';
import type { PublicAddress } from './proxy_trust';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses DNS rebinding: Host must be a loopback name, the address that the connection came to, or one of `hosts`, with or without a port.
 */
export function isOwnHost(host: string | undefined, localAddress: string, hosts: readonly string[]): boolean {
  const url = urlOf(`http://${host}`);
  if (host === undefined || !url) return false;
  const { hostname } = url;
  if (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)) return true;
  return hostname === localAddress || hostname === `[${localAddress}]` || hosts.includes(hostname) || hosts.includes(host.toLowerCase());
}

interface Requested {
  method?: string | undefined;
  /** Without the base path. */
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Refuses pages of other origins, those of other ports of this machine included. `origins` are allowed in addition to the gateway's own.
 * Programs send no Origin header and are accepted.
 */
export function isAllowedPage({ method, url = '', headers }: Requested, address: PublicAddress, origins: readonly string[]): boolean {
  const { origin } = headers;
  const [path = ''] = url.split('?');
  if (isScriptForAll({ method, path })) return true;
  if (origin === undefined)
    return isSameSite(method, headers) || opensEmbeddedChat(path, { mode: headers['sec-fetch-mode'], target: headers['sec-fetch-dest'] });
  return isOwnOrigin(origin, address) || origins.includes(origin);
}

/** Compares Origin with the address that served the page, also behind a forwarded port. A page cannot set its Host header. */
export function isOwnOrigin(origin: string, { protocol, host }: PublicAddress): boolean {
  const page = urlOf(origin);
  const served = urlOf(`${protocol}://${host}`);
  if (!page || !served || page.protocol !== served.protocol || page.port !== served.port) return false;
  return page.hostname === served.hostname || (LOOPBACK_NAMES.has(page.hostname) && LOOPBACK_NAMES.has(served.hostname));
}

/** Browsers omit Origin when they load a resource such as an image; Sec-Fetch-Site then tells whether another site's page asked. */
function isSameSite(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return true;
  // A followed link shows the response to the person, not to the linking page.
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
