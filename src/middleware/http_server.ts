/** The HTTP server below both doors: request timeouts, accepted upgrades, answers to unreadable requests. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, toWireError } from '../errors';

/** Times in milliseconds. A request must have arrived as a whole by then; how long its answer takes is not limited. */
export const SERVER_OPTIONS = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Node knows it from 24.9 on; `guardServer` does the same for older ones.
  shouldUpgradeCallback: isSocketUpgrade,
} satisfies ServerOptions;

/** Fields of a header that offer another protocol. */
const OFFERS = new Set(['connection', 'upgrade', 'http2-settings']);

/** Gives errors below the routes the one error form, and answers requests that offer an unknown protocol as if they did not. */
export function guardServer(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    if (socket.writable && !socket._httpMessage?.headersSent) socket.end(toAnswer(error), () => socket.destroy());
    else socket.destroy();
  });
  // Node would answer 417 without a body; a server may ignore an expectation that it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  if ('shouldUpgradeCallback' in server) return;
  server.on('upgrade', (request, socket, head) => {
    if (!isSocketUpgrade(request)) readAgain(server, request, socket as Socket, head);
  });
}

interface AnsweringSocket extends Socket {
  /** The answer that is being written, as Node keeps it. */
  _httpMessage?: { headersSent: boolean };
}

/** The upgrade of a chat connection; a server may ignore every other offer (RFC 9110, 7.8). */
function isSocketUpgrade({ headers, url = '' }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith('/socket.io/');
}

/** Puts the request back in front of its connection, without the offer, and has the server read it from there. */
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
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('too_large', { message: 'The headers of the request are too large.' });
  return new AppError('invalid_request', { message: 'This is no HTTP request that can be read.' });
}
