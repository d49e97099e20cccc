import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { timeoutError, toConnectionError } from './model_errors';

/** A successful response. The caller reads its body from `incoming`. */
export class StreamedResponse extends Response {
  constructor(
    readonly incoming: IncomingMessage,
    init: { status: number; headers: Headers },
  ) {
    super(null, init);
  }
}

export interface HttpFetch {
  /** Resolves a StreamedResponse for status 2xx. Other responses are read already, truncated to 16 KiB. */
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Drops idle connections. */
  close(): void;
}

/** An error page is truncated to this size. */
const MAX_ERROR_BODY_BYTES = 16 * 1024;

/**
 * A fetch over node:http. The built-in one cannot limit the time of connecting by itself, wraps the body in streams that cost more than
 * parsing it, and reads an error page of any size. This one never follows redirects: the key goes to the configured server only.
 */
export function createHttpFetch(connectMs: number): HttpFetch {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return {
    fetch: async (url, init = {}) => {
      const incoming = await send(new URL(url instanceof Request ? url.url : url), { init, agents, connectMs });
      const status = incoming.statusCode ?? 0;
      const headers = toHeaders(incoming);
      if (status >= 200 && status < 300) return new StreamedResponse(incoming, { status, headers });
      const body = await readBeginning(incoming);
      return new Response(body === '' || status < 400 ? null : body, { status, headers });
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface SendOptions {
  init: RequestInit;
  agents: { http: HttpAgent; https: HttpsAgent };
  connectMs: number;
}

function send(url: URL, { init, agents, connectMs }: SendOptions): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const headers: OutgoingHttpHeaders = { 'accept-encoding': 'identity' };
  new Headers(init.headers).forEach((value, name) => {
    headers[name] = value;
  });
  return new Promise((resolve, reject) => {
    const options = { method: init.method ?? 'GET', headers };
    const outgoing = isSecure
      ? requestHttps(url, { ...options, agent: agents.https })
      : requestHttp(url, { ...options, agent: agents.http });
    const connectTimer = setTimeout(() => outgoing.destroy(timeoutError('connect', connectMs)), connectMs);
    const onAbort = () => outgoing.destroy(toError(init.signal?.reason));
    outgoing.once('socket', socket => whenConnected(socket, isSecure, () => clearTimeout(connectTimer)));
    outgoing.once('response', resolve);
    outgoing.on('error', error => reject(toConnectionError(error)));
    outgoing.once('close', () => {
      clearTimeout(connectTimer);
      init.signal?.removeEventListener('abort', onAbort);
    });
    if (init.signal?.aborted) onAbort();
    else init.signal?.addEventListener('abort', onAbort);
    outgoing.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

function whenConnected(socket: Socket & { secureConnecting?: boolean }, isSecure: boolean, onConnected: () => void): void {
  if (socket.connecting || socket.secureConnecting) socket.once(isSecure ? 'secureConnect' : 'connect', onConnected);
  else onConnected();
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const item of value ?? []) {
      try {
        headers.append(name, item);
      } catch {
        // Skip a header that fetch does not allow.
      }
    }
  }
  return headers;
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
