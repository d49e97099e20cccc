/** Sends one HTTP request. The address is checked when the socket connects, so that DNS cannot answer differently in between. */
import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { WebError } from '../../port/web';
import type { AddressPolicy } from './address_policy';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Resolves all addresses of a host. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>;

export interface RequestInput {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export interface RequestOptions {
  policy: AddressPolicy;
  resolve: ResolveHost;
  signal: AbortSignal;
  /** Creates the error of a connection that was idle for too long. */
  onIdle: () => void;
  idleMs: number;
  /** Default: one that names this gateway. */
  userAgent?: string | undefined;
}

export const resolveWithSystem: ResolveHost = hostname => systemLookup(hostname, { all: true });

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; neta-gateway)',
  accept: 'text/html,application/xhtml+xml,application/pdf,application/json;q=0.9,text/*;q=0.9,*/*;q=0.5',
  'accept-language': '*',
  'accept-encoding': 'gzip, br',
};

/** Resolves when the headers have come. The caller reads the body or destroys it. */
export function requestChecked({ url, method = 'GET', headers, body }: RequestInput, options: RequestOptions): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  // Open a new connection for each request: a reused one may have passed another check.
  const shared = {
    method,
    headers: { ...HEADERS, ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }), ...headers },
    lookup: checkedLookup(url, options),
    signal: options.signal,
  };
  return new Promise((resolve, reject) => {
    const outgoing = isSecure
      ? requestHttps(url, { ...shared, agent: new HttpsAgent({ keepAlive: false }) })
      : requestHttp(url, { ...shared, agent: new HttpAgent({ keepAlive: false }) });
    outgoing.setTimeout(options.idleMs, options.onIdle);
    outgoing.once('socket', socket => guardConnection(socket, url, options.policy));
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Returns a lookup that yields every address of the host, or fails when one of them may not be reached. */
function checkedLookup(url: URL, { policy, resolve }: RequestOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = async () => {
      const addresses = await resolveKnown(resolve, hostname);
      for (const { address } of addresses) policy.checkAddress(address, url);
      return addresses;
    };
    answer().then(
      addresses => (all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family)),
      (error: Error) => callback(error, ''),
    );
  };
}

async function resolveKnown(resolve: ResolveHost, hostname: string): Promise<ResolvedAddress[]> {
  try {
    const addresses = await resolve(hostname);
    if (addresses.length > 0) return addresses;
  } catch (cause) {
    throw new WebError('unknown_host', `The host ${hostname} cannot be found.`, { cause });
  }
  throw new WebError('unknown_host', `The host ${hostname} has no address.`);
}

/** Checks the connected peer itself, so that nothing is sent to an address that may not be reached. */
function guardConnection(socket: Socket, url: URL, policy: AddressPolicy): void {
  socket.once('connect', () => {
    try {
      policy.checkAddress(socket.remoteAddress ?? '', url);
    } catch (thrown) {
      socket.destroy(thrown as Error);
    }
  });
}
