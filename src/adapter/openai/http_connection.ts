/** One connection to a model server, which serves one request at a time, over undici. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import type { ServerRoute } from '../network/server_route';
import { undici } from '../network/undici';
import { connectTimeout } from './connection_errors';
import { RunningExchange } from './http_exchange';

export interface ConnectionRequest {
  options: Dispatcher.DispatchOptions;
  /** Ends the request and the connection. */
  signal: AbortSignal;
  /** Runs in no asynchronous context: other requests use the connection too. */
  onPiece: (piece: Buffer) => void;
}

export interface ConnectionTarget extends ServerRoute {
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

export class HttpConnection {
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
