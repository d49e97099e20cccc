/** Reads what proxies say about a request. The X-Forwarded-* headers count only on connections from the addresses in NETA_TRUST_PROXY. */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { toBasePath, withoutBase } from '../utils/base_path';

/** The parts of a request that tell where it comes from; Node's IncomingMessage has them. */
export interface IncomingRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
  url?: string | undefined;
}

/** The address under which the client sees the gateway. */
export interface PublicAddress {
  protocol: 'http' | 'https';
  /** Name and port, as in the Host header. */
  host: string | undefined;
}

export class ProxyTrust {
  private readonly proxies = new BlockList();

  /** `ranges`: addresses and CIDR ranges. `ownBase`: the path below which the gateway is shown when no trusted proxy names one. */
  constructor(
    ranges: readonly string[],
    private readonly ownBase = '',
  ) {
    for (const range of ranges) {
      const [address = '', prefix] = range.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.proxies.addAddress(address, family);
      else this.proxies.addSubnet(address, Number(prefix), family);
    }
  }

  /** Returns the IP address of the client, for rate limits and logs: that of the connection, or the first one before trusted proxies. */
  clientAddress({ headers, socket }: IncomingRequest): string {
    const hops = listOf(headers['x-forwarded-for']);
    let address = plainAddress(socket.remoteAddress ?? '');
    while (hops.length > 0 && this.isTrusted(address)) {
      const hop = plainAddress(hops.pop() ?? '');
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  }

  /** The last value of a header counts, because the nearest proxy appended it. */
  publicAddress({ headers, socket }: IncomingRequest): PublicAddress {
    const direct: PublicAddress = { protocol: 'http', host: headers.host };
    if (!this.isTrusted(plainAddress(socket.remoteAddress ?? ''))) return direct;
    const protocol = listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase();
    return { protocol: protocol === 'https' ? 'https' : 'http', host: listOf(headers['x-forwarded-host']).at(-1) ?? direct.host };
  }

  /** Returns the path below which the client sees the gateway; '' for the root. */
  basePath({ headers, socket }: IncomingRequest): string {
    const named = listOf(headers['x-forwarded-prefix']).at(-1);
    if (named === undefined || !this.isTrusted(plainAddress(socket.remoteAddress ?? ''))) return this.ownBase;
    return toBasePath(named) || this.ownBase;
  }

  /** Returns the path inside the gateway, for a request with the base path and for one from which a proxy has removed it. */
  innerUrl(request: IncomingRequest): string {
    const { url = '' } = request;
    const inner = withoutBase(url, this.basePath(request));
    return inner === url ? withoutBase(url, this.ownBase) : inner;
  }

  private isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

const listOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');

/** Strips the port, brackets and the IPv6 form of an IPv4 address. */
export function plainAddress(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}
