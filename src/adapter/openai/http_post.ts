import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { StatusError, timeoutError, toConnectionError } from './model_errors';

export interface HttpPostOptions {
  /** URL and headers of each request. */
  endpoint: { url: URL; headers: OutgoingHttpHeaders };
  /** Milliseconds for name lookup, TCP and TLS of a new connection. */
  connectMs: number;
}

export interface HttpPost {
  /**
   * Sends one request, whose body comes in pieces, and resolves with its response, whose body the caller reads. Rejects with a StatusError when the status is not 2xx,
   * with an AppError `model_*` when the connection fails, and when `signal` is aborted. `headers`: those of this request alone.
   */
  send(body: readonly Uint8Array[], signal: AbortSignal, headers?: OutgoingHttpHeaders): Promise<IncomingMessage>;
  /** Drops idle connections; the others end with their requests. */
  close(): void;
}

/** An error page is truncated to this size. */
const MAX_ERROR_BODY_BYTES = 16 * 1024;

/** Creates the sender of POST requests to one URL, over kept connections. Never follows redirects: the key goes to the configured server only. */
export function createHttpPost({ endpoint: { url, headers }, connectMs }: HttpPostOptions): HttpPost {
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const options = { ...urlToHttpOptions(url), method: 'POST', headers, agent };

  const request = (body: readonly Uint8Array[], signal: AbortSignal, own?: OutgoingHttpHeaders): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = own ? { ...options, headers: { ...headers, ...own } } : options;
      const outgoing = isSecure ? requestHttps(sent) : requestHttp(sent);
      const onAbort = () => outgoing.destroy(toError(signal.reason));
      outgoing.once('socket', socket => {
        if (!isConnecting(socket)) return;
        const timer = setTimeout(() => outgoing.destroy(timeoutError('connect', connectMs)), connectMs);
        socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
        outgoing.once('close', () => clearTimeout(timer));
      });
      outgoing.once('response', resolve);
      outgoing.on('error', error => reject(toConnectionError(error)));
      outgoing.once('close', () => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort);
      outgoing.setHeader(
        'content-length',
        body.reduce((size, piece) => size + piece.length, 0),
      );
      outgoing.cork();
      for (const piece of body) outgoing.write(piece);
      outgoing.end();
      outgoing.uncork();
    });

  return {
    send: async (body, signal, own) => {
      const incoming = await request(body, signal, own);
      const status = incoming.statusCode ?? 0;
      if (status >= 200 && status < 300) return incoming;
      throw new StatusError(status, incoming.headers, await readBeginning(incoming));
    },
    close: () => closeIdle(agent),
  };
}

const isConnecting = (socket: Socket & { secureConnecting?: boolean }): boolean => socket.connecting || socket.secureConnecting === true;

/** `agent.destroy()` would break the requests in progress. */
function closeIdle(agent: HttpAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of [...(sockets ?? [])]) socket.destroy();
}

async function readBeginning(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size >= MAX_ERROR_BODY_BYTES) break;
    }
  } catch {
    // The connection broke; the status is enough for the error.
  }
  return Buffer.concat(pieces).subarray(0, MAX_ERROR_BODY_BYTES).toString('utf8');
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error('The request was aborted.', { cause: reason }));
