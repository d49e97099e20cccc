/** The HTTP server below both doors: request timeouts, accepted upgrades, answers to unreadable requests. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, toWireError } from '../errors';

/** Timeouts in milliseconds within which a whole request must arrive. The answer may take any time. */
export const SERVER_OPTIONS = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than load balancers keep an idle connection (60 s), so that none sends a request into a connection that closes. Idle connections
  // are not bound by headersTimeout, which begins with the first byte of a request.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
} satisfies ServerOptions;

/** Returns the address of a request without the path below which a proxy shows the gateway. */
export type InnerUrl = (request: IncomingMessage) => string;

/** Supported since Node 24.9; `guardServer` does the same on older versions. */
export const createServerOptions = (innerUrl: InnerUrl): ServerOptions => ({
  ...SERVER_OPTIONS,
  shouldUpgradeCallback: request => isSocketUpgrade(request, innerUrl(request)),
});

/** Header fields that offer another protocol. */
const OFFERS = new Set(['connection', 'upgrade', 'http2-settings']);

/** Answers unreadable requests in the wire form of errors, ignores offers of unknown protocols, and removes the base path of each request. */
export function guardServer(server: Server, innerUrl: InnerUrl): void {
  const removeBase = (request: IncomingMessage) => {
    request.url = innerUrl(request);
  };
  // Runs before Socket.IO, which compares the path too.
  server.prependListener('request', removeBase);
  server.prependListener('upgrade', removeBase);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    if (socket.writable && !socket._httpMessage?.headersSent) socket.end(toAnswer(error), () => socket.destroy());
    else socket.destroy();
  });
  // Without this, Node answers 417 without a body. A server may ignore an unknown expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  if ('shouldUpgradeCallback' in server) return;
  server.on('upgrade', (request, socket, head) => {
    if (!isSocketUpgrade(request, request.url)) readAgain(server, request, socket as Socket, head);
  });
}

interface AnsweringSocket extends Socket {
  /** The answer that is being written, as Node keeps it. */
  _httpMessage?: { headersSent: boolean };
}

/** Returns whether the request upgrades a Socket.IO connection. A server may ignore every other offer (RFC 9110, 7.8). */
function isSocketUpgrade({ headers }: IncomingMessage, url = ''): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith('/socket.io/');
}

/** Removes the offer from the request, puts its bytes back on the connection and lets the server read them again. */
function readAgain(server: Server, { method, url, httpVersion, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!OFFERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function toAnswer(thrown: NodeJS.ErrnoException): string {
  const error = toRequestError(thrown);
  const requestId = randomUUID();
  const body = JSON.stringify({ error: toWireError(error, requestId) });
  const headers = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

function toRequestError({ code }: NodeJS.ErrnoException): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('too_large', { message: 'The headers of the request are too large.', messageZh: '请求头过大。' });
  return new AppError('invalid_request', {
    message: 'This is no HTTP request that can be read.',
    messageZh: '无法读取，这不是 HTTP 请求。',
  });
}
