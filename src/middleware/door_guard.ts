/** Refuses foreign requests before any other code reads them: to REST, to pages, and each request of a Socket.IO transport. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, toAppError, toWireError } from '../errors';
import type { CallerCheck } from '../port/caller_check';
import { isLoopbackAddress } from '../utils/loopback_address';
import { type IncomingRequest, ProxyTrust, type PublicAddress, plainAddress } from './proxy_trust';
import { isAllowedPage, isOwnHost } from './served_request';

const OTHER_NAME = new AppError('forbidden', {
  message: 'The gateway does not serve this host name: use its own address, or add the name to NETA_HOSTS.',
  messageZh: '网关不以这个主机名提供服务：请使用网关自己的地址，或把该名称加入 NETA_HOSTS。',
});
const ELSEWHERE = new AppError('forbidden', {
  message:
    'Only programs of this machine and pages of this gateway are served: open the gateway at its own address, or add the page to NETA_ORIGINS.',
  messageZh: '只为本机程序和网关自己的页面提供服务：请从网关自己的地址打开，或把该页面的源加入 NETA_ORIGINS。',
});
const OWN_COMMAND = new AppError('forbidden', {
  message: 'The agent may not use the gateway it runs in: this request comes from one of its commands.',
  messageZh: '智能体不能使用它所在的网关：这个请求来自它的一条命令。',
});

export interface DoorGuard {
  /** Checks a request. Rejects with `forbidden`. */
  check(request: IncomingMessage): Promise<void>;
  /** Call this for each connection when it opens. */
  watch(connection: Socket): void;
  /** Returns true when a page of an allowed origin sent the request, so that the page may read the answer. */
  isAllowedOrigin(origin: string | undefined): origin is string;
  /** The origins of NETA_ORIGINS: their pages may use the gateway, and answers differ by them. */
  origins: readonly string[];
  /** Returns the IP address of the client, for rate limits and logs. */
  clientAddress(request: IncomingRequest): string;
  /** Returns the address under which the client sees the gateway. */
  publicAddress(request: IncomingRequest): PublicAddress;
  /** Returns the path below which the client sees the gateway; '' for the root. */
  basePath(request: IncomingRequest): string;
  /** Returns the address of a request without the base path. */
  innerUrl(request: IncomingRequest): string;
}

export interface DoorGuardOptions {
  origins: readonly string[];
  /** Names of the gateway beside its address. */
  hosts?: readonly string[];
  proxies?: readonly string[];
  basePath?: string;
  /** Absent where commands of the agent cannot reach the gateway. */
  callers?: CallerCheck | undefined;
}

/** A probe of a load balancer knows the address of the gateway and no name. */
const isProbe = (url = ''): boolean => /^\/healthz(?:\?|$)/.test(url);

/** Creates the guard that refuses requests of foreign pages, hosts and commands. */
export function createDoorGuard({ origins, hosts = [], proxies = [], basePath, callers }: DoorGuardOptions): DoorGuard {
  const trust = new ProxyTrust(proxies, basePath);
  const names = hosts.map(name => name.toLowerCase());
  return {
    async check(request) {
      const address = trust.publicAddress(request);
      const { headers, socket } = request;
      // Behind DNS rebinding a page can write X-Forwarded-Host, and comes from the address of a trusted proxy of this machine.
      const claimed = isLoopbackAddress(plainAddress(socket.remoteAddress ?? '')) ? [address.host, headers.host] : [address.host];
      const isNamed = claimed.every(host => isOwnHost(host, plainAddress(socket.localAddress ?? ''), names));
      if (!isNamed && !isProbe(request.url)) throw OTHER_NAME;
      if (!isAllowedPage(request, address, origins)) throw ELSEWHERE;
      if (await callers?.isCommand(request.socket)) throw OWN_COMMAND;
    },
    watch: connection => void callers?.isCommand(connection),
    isAllowedOrigin: (origin): origin is string => origin !== undefined && origins.includes(origin),
    origins,
    clientAddress: request => trust.clientAddress(request),
    publicAddress: request => trust.publicAddress(request),
    basePath: request => trust.basePath(request),
    innerUrl: request => trust.innerUrl(request),
  };
}

/** The part of Socket.IO's engine that sees every request; the option `allowRequest` sees only the first request of a connection. */
export interface SocketEngine {
  use(middleware: (request: IncomingMessage, response: unknown, next: () => void) => void): unknown;
}

/** Answers refused requests, upgrades too, with the error in wire form. */
export function guardSockets(engine: SocketEngine, guard: DoorGuard): void {
  engine.use((request, response, next) => {
    guard.check(request).then(next, thrown => refuse(request, response, toAppError(thrown)));
  });
}

function refuse({ socket }: IncomingMessage, response: unknown, error: AppError): void {
  const requestId = randomUUID();
  const body = JSON.stringify({ error: toWireError(error, requestId) });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId, Connection: 'close' };
  if (response instanceof ServerResponse) {
    response.writeHead(error.status, headers).end(body);
    return;
  }
  // An upgrade has no response object, so the answer is written to the socket.
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n'));
}
