import { validateHeaderName, validateHeaderValue } from 'node:http';
import { HttpConnection } from './http_connection';
import type { HttpExchange } from './http_exchange';

export type RequestHeaders = Readonly<Record<string, string>>;

export interface HttpPostOptions {
  /** URL and headers of each request. */
  endpoint: { url: URL; headers: RequestHeaders };
  /** Milliseconds for name lookup, TCP and TLS of a new connection. */
  connectMs: number;
}

export interface PostRequest extends Pick<HttpExchange, 'body' | 'signal' | 'onPiece'> {
  /** Headers of this request alone. They replace those of the endpoint. */
  headers?: RequestHeaders | undefined;
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
  const commonLines = toLines(common);
  /** The connection that was used last is taken first, so that the others expire. */
  let idle: HttpConnection[] = [];
  let isClosed = false;

  const open = (): HttpConnection => {
    const connection: HttpConnection = new HttpConnection(target, () => {
      idle = idle.filter(other => other !== connection);
    });
    return connection;
  };

  const take = (): HttpConnection => {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (kept.isUsable) return kept;
      kept.close();
    }
    return open();
  };

  const release = (connection: HttpConnection): void => {
    while (idle[0]?.isUsable === false) idle.shift()?.close();
    if (isClosed || !connection.isUsable || idle.length >= MAX_IDLE) connection.close();
    else idle.push(connection);
  };

  return {
    async send({ body, headers: own, ...rest }) {
      rest.signal.throwIfAborted();
      const length = body.reduce((size, piece) => size + piece.length, 0);
      const lines = own ? toLines({ ...common, ...checkedHeaders(own) }) : commonLines;
      const exchange = { head: `${requestLine}${lines}content-length: ${length}\r\n\r\n`, body, ...rest };
      for (let connection = take(), isFirst = true; ; connection = open(), isFirst = false) {
        try {
          return await connection.send(exchange);
        } catch (thrown) {
          // A server closes an idle connection whenever it likes, so once more over a new one.
          if (!isFirst || !connection.wasStale) throw thrown;
          rest.signal.throwIfAborted();
        } finally {
          release(connection);
        }
      }
    },
    close() {
      isClosed = true;
      for (const connection of idle) connection.close();
    },
  };
}

/**
 * Checks the headers that others chose, and writes their names in lower case. Throws when a name or a value has a character that it may not have,
 * such as a line feed.
 */
function checkedHeaders(headers: RequestHeaders): RequestHeaders {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    checked[name.toLowerCase()] = value;
  }
  // The body is sent as it is, with its length.
  delete checked['transfer-encoding'];
  delete checked['content-length'];
  return checked;
}

const toLines = (headers: RequestHeaders): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** A name and a password in the URL, as `node:http` sends them. */
function credentialsOf({ username, password }: URL): RequestHeaders {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
