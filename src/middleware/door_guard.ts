/** Refuses foreign requests before any other code reads them: to REST, to pages, and each request of a Socket.IO transport. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, toAppError, toWireError } from '../errors';
import type { CallerCheck } from '../port/caller_check';
import { isLocalRequest } from './local_request';

const ELSEWHERE =
  'Only programs of this machine and pages of this gateway are served: open the gateway at its own address, or add the page to NETA_ORIGINS.';
const OWN_COMMAND = 'The agent may not use the gateway it runs in: this request comes from one of its commands.';

export interface DoorGuard {
  /** Rejects with `forbidden`. */
  check(request: IncomingMessage): Promise<void>;
  /** Call this for each connection when it opens. */
  watch(connection: Socket): void;
  /** Returns true when a page of an allowed origin sent the request, so that the page may read the answer. */
  isAllowedOrigin(origin: string | undefined): origin is string;
}

/** `callers` is absent where commands of the agent cannot reach the gateway. */
export function createDoorGuard({ origins, callers }: { origins: readonly string[]; callers?: CallerCheck | undefined }): DoorGuard {
  return {
    async check(request) {
      if (!isLocalRequest(request, origins)) throw new AppError('forbidden', { message: ELSEWHERE });
      if (await callers?.isCommand(request.socket)) throw new AppError('forbidden', { message: OWN_COMMAND });
    },
    watch: connection => void callers?.isCommand(connection),
    isAllowedOrigin: (origin): origin is string => origin !== undefined && origins.includes(origin),
  };
}

/** The part of Socket.IO's engine that sees each of its requests; its option `allowRequest` sees only the first one of a connection. */
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
