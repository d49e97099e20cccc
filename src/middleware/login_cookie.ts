/** The cookie of a login: read on both doors, and only from pages of the gateway itself. */
import type { IncomingHttpHeaders } from 'node:http';
import { LOGIN_COOKIE } from '../wire/login_cookie';
import type { PublicAddress } from './proxy_trust';
import { isOwnOrigin } from './served_request';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const VALUE = new RegExp(`(?:^|;)\\s*${LOGIN_COOKIE}=([\\w-]{1,128})\\s*(?:;|$)`);

/**
 * Returns the value of the cookie. A request that can change something, and one that opens a socket, must come from a page of the gateway:
 * SameSite=Strict lets pages of other ports of this machine send the cookie too.
 */
export function readLoginCookie(
  { method = 'GET', headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  address: PublicAddress,
  { isSocket = false } = {},
): string | undefined {
  const value = VALUE.exec(headers.cookie ?? '')?.[1];
  if (value === undefined) return undefined;
  const isReading = SAFE_METHODS.has(method) && !isSocket;
  return isReading || isOwnPage(headers, address) ? value : undefined;
}

/** Browsers leave Origin out of same-origin requests that only read; then Sec-Fetch-Site decides. */
function isOwnPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, address: PublicAddress): boolean {
  return origin === undefined ? site === 'same-origin' : isOwnOrigin(origin, address);
}
