import { type OutgoingHttpHeaders, validateHeaderValue } from 'node:http';
import { HttpConnection, type HttpExchange } from './http_connection';

export interface HttpPostOptions {
  /** URL and headers of each request. */
  endpoint: { url: URL; headers: OutgoingHttpHeaders };
  /** Milliseconds for name lookup, TCP and TLS of a new connection. */
  connectMs: number;
}

export interface PostRequest extends Pick<HttpExchange, 'body' | 'signal' | 'onPiece'> {
  /** Headers of this request alone. */
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
  const commonHead = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n${toLines({ ...credentialsOf(url), ...headers })}`;
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
    if (isClosed || !connection.isUsable || idle.length >= MAX_IDLE) connection.close(undefined);
    else idle.push(connection);
  };

  return {
    async send({ body, headers: own, ...rest }) {
      rest.signal.throwIfAborted();
      const length = body.reduce((size, piece) => size + piece.length, 0);
      const head = `${commonHead}${own ? toLines(own) : ''}content-length: ${length}\r\n\r\n`;
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

/** Throws when a value has a line feed or another character that no header may have. */
const toLines = (headers: OutgoingHttpHeaders): string =>
  Object.entries(headers)
    .map(([name, value]) => {
      validateHeaderValue(name, String(value));
      return `${name}: ${String(value)}\r\n`;
    })
    .join('');

/** A name and a password in the URL, as `node:http` sends them. */
function credentialsOf({ username, password }: URL): OutgoingHttpHeaders {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
