/** Sends one HTTP request. The address is checked when the socket connects, so that DNS cannot answer differently in between. */
import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WebError } from '../../port/web';
import { type HttpProxy, proxyFor } from '../network/proxy';
import { openTunnel } from '../network/tunnel';
import { type AddressPolicy, portOf } from './address_policy';

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
  body?: string | Uint8Array;
}

export interface RequestOptions {
  policy: AddressPolicy;
  resolve: ResolveHost;
  signal: AbortSignal;
  /** Creates the error of a connection that was idle for too long. */
  onIdle: () => void;
  idleMs: number;
  /** User agent header. Default: one that names this gateway. */
  userAgent?: string | undefined;
}

export const resolveWithSystem: ResolveHost = hostname => systemLookup(hostname, { all: true });

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; neta-gateway)',
  accept: 'text/html,application/xhtml+xml,application/pdf,application/json;q=0.9,text/*;q=0.9,*/*;q=0.5',
  'accept-language': '*',
  'accept-encoding': 'gzip, br',
};

/**
 * Resolves when the headers have come. The caller reads the body or destroys it. Through a proxy, the name is resolved and checked here too, and the
 * proxy gets the address: it could resolve the name to another one.
 */
export async function requestChecked(
  { url, method = 'GET', headers, body }: RequestInput,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const proxy = proxyFor(url);
  const tunnel = proxy && (await openCheckedTunnel(proxy, url, options));
  const shared = {
    method,
    headers: { host: url.host, ...HEADERS, 'user-agent': options.userAgent ?? HEADERS['user-agent'], ...headers },
    signal: options.signal,
    // A new connection for each request: a kept connection may have passed another check.
    ...(tunnel
      ? { createConnection: () => tunnel }
      : { lookup: checkedLookup(url, options), agent: new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: false }) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? requestHttps : requestHttp)(url, shared);
    outgoing.setTimeout(options.idleMs, options.onIdle);
    if (!tunnel) outgoing.once('socket', socket => guardConnection(socket, url, options.policy));
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Opens a tunnel to a checked address of the host. Rejects as the lookup of a direct connection does, and with a ProxyError. */
async function openCheckedTunnel(proxy: HttpProxy, url: URL, options: RequestOptions): Promise<Socket> {
  const timer = setTimeout(options.onIdle, options.idleMs);
  try {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const address = isIP(host) === 0 ? await resolveChecked(host, url, options) : host;
    options.policy.checkAddress(address, url);
    const target = `${isIP(address) === 6 ? `[${address}]` : address}:${portOf(url)}`;
    const socket = await openTunnel(proxy, target, options.signal);
    if (url.protocol === 'http:') return socket;
    return connectTls({ socket, host, ALPNProtocols: ['http/1.1'], servername: isIP(host) === 0 ? host : undefined });
  } finally {
    clearTimeout(timer);
  }
}

async function resolveChecked(host: string, url: URL, { policy, resolve }: RequestOptions): Promise<string> {
  const addresses = await resolveKnown(resolve, host);
  for (const { address } of addresses) policy.checkAddress(address, url);
  return addresses[0]?.address ?? '';
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
    throw new WebError('unknown_host', `The host ${hostname} cannot be found.`, `找不到主机 ${hostname}。`, { cause });
  }
  throw new WebError('unknown_host', `The host ${hostname} has no address.`, `主机 ${hostname} 没有地址。`);
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
