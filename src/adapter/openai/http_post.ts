import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import { HttpConnection, type HttpExchange } from './http_connection';

export interface HttpPostOptions {
  /** URL and headers of each request. */
  endpoint: { url: URL; headers: OutgoingHttpHeaders };
  /** Milliseconds for name lookup, TCP and TLS of a new connection. */
  connectMs: number;
}

export interface PostRequest extends Pick<HttpExchange, 'body' | 'signal' | 'onPiece'> {
  /** Headers of this request alone, with names in lower case. They replace those of the endpoint. */
  headers?: OutgoingHttpHeaders | undefined;
}

export interface HttpPost {
  /**
   * Sends one request, whose body comes in pieces, and hands over the body of its response. Resolves at the end of the body. Rejects with a
   * StatusError when the status is not 2xx, with an AppError `model_*` when the connection fails, with the reason of `signal` when that is aborted,
   * and with what `onPiece` throws.
   */
  send(request: PostRequest): Promise<void>;
  /** Drops idle connections; the others end with their requests. */
  close(): void;
}

/** Idle connections that are kept at most. */
const MAX_IDLE = 256;

/** Creates the sender of POST requests to one URL, over kept connections. Never follows redirects: the key goes to the configured server only. */
export function createHttpPost({ endpoint: { url, headers }, connectMs }: HttpPostOptions): HttpPost {
  const target = { url, connectMs, tls: {} };
  const requestLine = `POST ${url.pathname}${url.search} HTTP/1.1\r\n`;
  const common = { host: url.host, ...credentialsOf(url), ...checkedHeaders(headers) };
  /** The connection that was used last is taken first, so that the others expire. */
  let idle: HttpConnection[] = [];
  let isClosed = false;

  const take = (): HttpConnection => {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (kept.isUsable) return kept;
      kept.close(undefined);
    }
    const connection: HttpConnection = new HttpConnection(target, () => {
      idle = idle.filter(other => other !== connection);
    });
    return connection;
  };

  const keep = (connection: HttpConnection): void => {
    while (idle[0]?.isUsable === false) idle.shift()?.close(undefined);
    if (isClosed || !connection.isUsable || idle.length >= MAX_IDLE) connection.close(undefined);
    else idle.push(connection);
  };

  return {
    async send({ body, headers: own, ...rest }) {
      rest.signal.throwIfAborted();
      const length = body.reduce((size, piece) => size + piece.length, 0);
      const lines = toLines({ ...common, ...(own && checkedHeaders(own)), 'content-length': length });
      const head = `${requestLine}${lines}\r\n`;
      const connection = take();
      try {
        await connection.send({ head, body, ...rest });
      } finally {
        keep(connection);
      }
    },
    close() {
      isClosed = true;
      for (const connection of idle) connection.close(undefined);
    },
  };
}

/** Checks the headers that others chose. Throws when a name or a value has a character that it may not have, such as a line feed. */
function checkedHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
  }
  // The body is sent as it is, with its length.
  const { 'transfer-encoding': _, ...others } = headers;
  return others;
}

const toLines = (headers: OutgoingHttpHeaders): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}\r\n`)
    .join('');

/** A name and a password in the URL, as `node:http` sends them. */
function credentialsOf({ username, password }: URL): OutgoingHttpHeaders {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
