/**
 * How the connections of undici reach a server: directly, through a tunnel of a proxy (https), or as requests that the proxy forwards (http).
 */
import type { buildConnector } from 'undici';
import { type HttpProxy, proxyFor } from './proxy';
import { ProxyError } from './proxy_error';
import { openTunnel } from './tunnel';
import { undici } from './undici';

export interface ServerRoute {
  /** Origin of the side that connections go to. */
  origin: string;
  /** Comes before the path of each request: a proxy that forwards requests reads whole addresses. */
  pathPrefix: string;
  /** Headers for a proxy that forwards requests. */
  headers: Readonly<Record<string, string>>;
  connect: buildConnector.connector;
  /** Proxy on the way. Absent: the server is reached directly. */
  proxy?: HttpProxy;
}

/** Milliseconds of silence after which the system asks whether the server is still there. */
const KEEP_ALIVE_MS = 1_000;

/** Returns the way to a server. `connectMs`: limit for making the connection; undici measures it roughly. */
export function routeTo(url: URL, connectMs: number): ServerRoute {
  const connectDirectly = undici().buildConnector({ timeout: connectMs, keepAliveInitialDelay: KEEP_ALIVE_MS });
  const proxy = proxyFor(url);
  if (!proxy) return { origin: url.origin, pathPrefix: '', headers: {}, connect: connectDirectly };
  if (url.protocol === 'https:')
    return { origin: url.origin, pathPrefix: '', headers: {}, connect: throughTunnel(proxy, connectDirectly, connectMs), proxy };
  return {
    origin: proxy.url.origin,
    pathPrefix: url.origin,
    headers: proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization },
    connect: (options, callback) =>
      connectDirectly(options, (...[error, socket]) =>
        error ? callback(new ProxyError(proxy, url.host, { cause: error }), null) : callback(null, socket),
      ),
    proxy,
  };
}

function throughTunnel(proxy: HttpProxy, connectTls: buildConnector.connector, connectMs: number): buildConnector.connector {
  return (options, callback) => {
    const { hostname, port } = options;
    const target = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`;
    openTunnel(proxy, target, AbortSignal.timeout(connectMs)).then(
      httpSocket => connectTls({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    );
  };
}
