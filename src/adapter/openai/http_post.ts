import { AsyncLocalStorage } from 'node:async_hooks';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { decoded } from '../network/proxy';
import { answersItself, ProxyError } from '../network/proxy_error';
import { routeTo, type ServerRoute } from '../network/server_route';
import { undici } from '../network/undici';
import { connectTimeout, toConnectionError } from './connection_errors';
import { RunningExchange } from './http_exchange';
import { StatusError } from './model_errors';

export type RequestHeaders = Readonly<Record<string, string>>;

export interface HttpPostOptions {
  /** URL and headers of each request. */
  endpoint: { url: URL; headers: RequestHeaders };
  /** Milliseconds for name lookup, TCP and TLS of a new connection. */
  connectMs: number;
}

export interface PostRequest extends Pick<ConnectionRequest, 'signal' | 'onPiece'> {
  body: readonly Uint8Array[];
  /** URL on the same server, in place of the endpoint's. */
  url?: URL;
  /** Headers of this request alone. They replace headers of the endpoint with the same name. */
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

/** Headers that the connection writes itself: the body is sent as it is, with its length. */
const OWN_HEADERS = ['transfer-encoding', 'content-length', 'connection', 'keep-alive', 'upgrade', 'expect'];
/** Idle connections that are kept at most. */
const MAX_IDLE = 256;

/**
 * Creates the sender of POST requests to one URL, over kept connections, through the proxy that the environment names. Never follows redirects: the
 * key goes to the configured server only.
 */
export function createHttpPost({ endpoint: { url, headers }, connectMs }: HttpPostOptions): HttpPost {
  const target: ConnectionTarget = { ...routeTo(url, connectMs), connectMs };
  const common = { host: url.host, ...credentialsOf(url), ...checkedHeaders(headers), ...target.headers };
  const pathOf = ({ pathname, search }: URL) => `${target.pathPrefix}${pathname}${search}`;
  /** The connection that was used last is taken first, so that the others expire. */
  let idle: HttpConnection[] = [];
  let isClosed = false;

  const open = (): HttpConnection => {
    const connection: HttpConnection = new HttpConnection(target, () => {
      idle = idle.filter(other => other !== connection);
    });
    return connection;
  };

  const release = (connection: HttpConnection): void => {
    if (isClosed || !connection.isUsable || idle.length >= MAX_IDLE) connection.close();
    else idle.push(connection);
  };

  const sendOver = async (connection: HttpConnection, request: ConnectionRequest): Promise<void> => {
    try {
      await connection.send(request);
    } finally {
      release(connection);
    }
  };

  return {
    async send({ body, url: asked = url, headers: own, signal, onPiece }) {
      signal.throwIfAborted();
      const sentHeaders = own ? { ...common, ...checkedHeaders(own) } : common;
      const options = { path: pathOf(asked), method: 'POST', headers: sentHeaders, body: Buffer.concat(body) };
      const request = { options, signal, onPiece };
      const connection = idle.pop() ?? open();
      try {
        return await sendOver(connection, request);
      } catch (thrown) {
        // A server may close an idle connection at any time, so the request is sent once more over a new connection.
        if (!connection.wasStale) throw proxyProblemOf(thrown, target) ?? thrown;
        signal.throwIfAborted();
        await sendOver(open(), request).catch((again: unknown) => {
          throw proxyProblemOf(again, target) ?? again;
        });
      }
    },
    close() {
      isClosed = true;
      for (const connection of [...idle]) connection.close();
    },
  };
}

/** Returns the error of a proxy that forwards requests and answered itself. */
function proxyProblemOf(thrown: unknown, { proxy, pathPrefix }: ConnectionTarget): Error | undefined {
  if (!proxy || pathPrefix === '' || !(thrown instanceof StatusError)) return undefined;
  const { status, text } = thrown;
  if (!answersItself(status, !/^\s*[{[]/.test(text))) return undefined;
  return toConnectionError(new ProxyError(proxy, new URL(pathPrefix).host, { status }));
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
  for (const name of OWN_HEADERS) delete checked[name];
  return checked;
}

/** A name and a password in the URL, as `node:http` sends them. */
function credentialsOf({ username, password }: URL): RequestHeaders {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

interface ConnectionRequest {
  options: Dispatcher.DispatchOptions;
  /** Ends the request and the connection. */
  signal: AbortSignal;
  /** Runs in no asynchronous context: other requests use the connection too. */
  onPiece: (piece: Buffer) => void;
}

interface ConnectionTarget extends ServerRoute {
  /** Milliseconds for name lookup, proxy, TCP and TLS. */
  connectMs: number;
}

/** Milliseconds for which an idle connection is kept, unless the server says that it closes the connection sooner. */
const KEEP_IDLE_MS = 600_000;
/** An idle connection is not used in the last milliseconds before the server's timeout. */
const EXPIRY_MARGIN_MS = 1_000;
const MAX_HEAD_BYTES = 64 * 1024;

/** Sends without the asynchronous context of the request that needs the connection: other requests use the connection too. */
const runOutsideRequestContext = AsyncLocalStorage.snapshot();

/** One connection to a model server, which serves one request at a time, over undici. */
class HttpConnection {
  private readonly client: Client;
  private exchange: RunningExchange | undefined;
  private isOpen = true;
  private connecting: unknown;
  private socket: Socket | undefined;
  /** The socket has served a request. */
  private hasServed = false;
  /** True when the server closed a kept connection before it answered: it may not have seen the request. */
  wasStale = false;

  constructor(
    private readonly target: ConnectionTarget,
    private readonly onClose: () => void,
  ) {
    this.client = new (undici().Client)(target.origin, {
      connect: (options, callback) => {
        // undici returns the socket at once, and does not destroy one that is still connecting.
        this.connecting = target.connect(options, (...result) => {
          this.socket = result[1] ?? undefined;
          this.hasServed = false;
          callback(...result);
        });
      },
      maxHeaderSize: MAX_HEAD_BYTES,
      // The caller limits the times of the answer.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_IDLE_MS,
      keepAliveMaxTimeout: KEEP_IDLE_MS,
      keepAliveTimeoutThreshold: EXPIRY_MARGIN_MS,
    });
    this.client.on('disconnect', () => {
      this.socket = undefined;
      if (!this.exchange) this.close();
    });
  }

  /** Returns true when the connection can take a request. A server may refuse a request before it has read all of it. */
  get isUsable(): boolean {
    return this.isOpen && !this.exchange && this.socket?.writableLength === 0;
  }

  /** Sends a request over a connection that is new or usable. Settles as HttpPost.send does. */
  async send({ options, signal, onPiece }: ConnectionRequest): Promise<void> {
    const exchange = new RunningExchange({ onPiece, onBreak: () => this.close() });
    this.exchange = exchange;
    const onAbort = () => exchange.fail(signal.reason);
    const timer = this.socket ? undefined : this.limitConnecting(exchange);
    signal.addEventListener('abort', onAbort);
    try {
      runOutsideRequestContext(() => this.client.dispatch(options, exchange));
      await exchange.promise;
    } finally {
      this.wasStale = this.hasServed && exchange.isUnanswered;
      this.hasServed = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.exchange = undefined;
    }
  }

  private limitConnecting(exchange: RunningExchange): NodeJS.Timeout {
    const { connectMs, proxy } = this.target;
    return setTimeout(() => {
      if (!exchange.isSent) exchange.fail(connectTimeout(connectMs, proxy?.name));
    }, connectMs);
  }

  /** Closes the connection, with its request. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.client.destroy().catch(() => {});
    if (!this.socket && this.connecting instanceof Socket) this.connecting.destroy();
    this.onClose();
  }
}
