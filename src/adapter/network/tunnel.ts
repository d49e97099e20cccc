/** Opens connections through a proxy with CONNECT. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { definedFields } from '../../utils/defined_fields';
import type { HttpProxy } from './proxy';
import { ProxyError } from './proxy_error';

/** `target`: host and port. Resolves with a plain connection to the target. Rejects with a ProxyError, and with the reason of `signal`. */
export function openTunnel(proxy: HttpProxy, target: string, signal?: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { protocol, port } = proxy.url;
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = send({
    host: proxy.url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || (protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: definedFields({ host: target, 'proxy-authorization': proxy.authorization }),
    agent: false,
    signal,
  });
  const refuse = (status: number | undefined, socket: Socket) => {
    socket.destroy();
    reject(new ProxyError(proxy, target, { status: status ?? 0 }));
  };
  outgoing.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
    if (statusCode < 200 || statusCode > 299) return refuse(statusCode, socket);
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  outgoing.once('response', ({ statusCode, socket }: IncomingMessage) => refuse(statusCode, socket));
  outgoing.on('error', cause => reject(signal?.aborted ? signal.reason : new ProxyError(proxy, target, { cause })));
  outgoing.end();
  return promise;
}
