/**
 * One connection to a model server, plain or TLS, which serves one request at a time. It reads all responses into one piece of memory and parses
 * them there: streams, headers and events of `node:http` cost three times as much (docs/decisions/0078).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type HttpExchange, RunningExchange } from './http_exchange';
import { InvalidHttpError, timeoutError } from './model_errors';

export interface ConnectionTarget {
  url: URL;
  /** Milliseconds for name lookup, TCP and TLS. */
  connectMs: number;
  /** The TLS session of an earlier connection, which shortens the next handshake. */
  tls: { session?: Buffer };
}

/** An idle connection is not used in the last milliseconds before the server's timeout. */
const EXPIRY_MARGIN_MS = 1_000;
/** Milliseconds of silence after which the system asks whether the server is still there. */
const KEEP_ALIVE_MS = 1_000;
/** Milliseconds to wait for the rest of an error page. */
const ERROR_PAGE_MS = 2_000;

/** Opens sockets without the asynchronous context of the request that needs one: other requests use the connection too. */
const outsideRequests = AsyncLocalStorage.snapshot();

/** All connections read into this memory, since each read is parsed before the next one begins. */
const readMemory = Buffer.allocUnsafeSlow(64 * 1024);

export class HttpConnection {
  private readonly socket: Socket;
  private exchange: RunningExchange | undefined;
  private socketError: Error | undefined;
  private hasServed = false;
  /** The server closed a connection that it had kept, before it answered: it may not have seen the request. */
  wasStale = false;
  /** The server closes the idle connection at about this time, in milliseconds of `performance.now()`. */
  private expiresAt = Number.POSITIVE_INFINITY;
  private isOpen = true;

  constructor(
    private readonly target: ConnectionTarget,
    private readonly onClose: () => void,
  ) {
    this.socket = outsideRequests(openSocket, target, (length: number) => this.read(length));
    this.socket.on('error', error => {
      this.socketError ??= error;
      // The server may have refused the session of an earlier connection.
      delete this.target.tls.session;
    });
    this.socket.once('end', () => this.socket.destroy());
    this.socket.once('close', () => this.onSocketClose());
  }

  /** Returns true when the connection can take a request. */
  get isUsable(): boolean {
    return this.isOpen && !this.exchange && !this.socket.destroyed && performance.now() < this.expiresAt;
  }

  /** Sends a request over a connection that is new or usable. Settles as HttpPost.send does. */
  send(exchange: HttpExchange): Promise<void> {
    const { signal } = exchange;
    const onAbort = () => this.close(signal.reason);
    const stopTimer = this.limitConnecting();
    const running = new RunningExchange(exchange.onPiece, {
      onRefusal: () => setTimeout(() => this.close(), ERROR_PAGE_MS),
      onEnd: () => {
        stopTimer?.();
        signal.removeEventListener('abort', onAbort);
        this.exchange = undefined;
      },
    });
    this.exchange = running;
    signal.addEventListener('abort', onAbort);
    this.socket.ref();
    this.write(exchange);
    return running.promise;
  }

  /** Closes the connection; a running exchange rejects with the reason. */
  close(reason?: unknown): void {
    this.isOpen = false;
    this.socket.destroy();
    this.exchange?.fail(reason);
  }

  private write({ head, body }: HttpExchange): void {
    try {
      this.socket.cork();
      this.socket.write(head, 'latin1');
      for (const piece of body) this.socket.write(piece);
      this.socket.uncork();
    } catch (thrown) {
      this.close(thrown);
    }
  }

  private read(length: number): void {
    const { exchange } = this;
    // The server sent bytes without a request, such as a 408.
    if (!exchange) return void this.close();
    try {
      exchange.read(readMemory, length);
      // The caller may have ended the exchange with its last piece.
      if (exchange.parser.isComplete && this.exchange === exchange) this.finish(exchange);
    } catch (thrown) {
      this.close(thrown instanceof InvalidHttpError ? exchange.toLostError(thrown) : thrown);
    }
  }

  private finish(exchange: RunningExchange): void {
    // A server may refuse a request before it has read all of it.
    if (exchange.parser.keepsConnection && this.socket.writableLength === 0) this.becomeIdle(exchange);
    else {
      this.isOpen = false;
      this.socket.destroy();
    }
    exchange.succeed();
  }

  /** Keeps the connection, which does not keep the process alive. */
  private becomeIdle({ head }: RunningExchange): void {
    this.hasServed = true;
    const seconds = /timeout=(\d+)/.exec(head?.headers['keep-alive'] ?? '')?.[1];
    this.expiresAt = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + Number(seconds) * 1_000 - EXPIRY_MARGIN_MS;
    this.socket.unref();
  }

  private onSocketClose(): void {
    this.isOpen = false;
    const { exchange, socketError } = this;
    if (exchange) {
      this.wasStale = this.hasServed && !exchange.hasBytes;
      if (!socketError && exchange.parser.endInput()) exchange.succeed();
      else exchange.fail(exchange.toLostError(socketError));
    }
    this.onClose();
  }

  /** Returns undefined when the connection is open already. */
  private limitConnecting(): (() => void) | undefined {
    const { connectMs, url } = this.target;
    const { socket } = this;
    if (!socket.connecting) return undefined;
    const timer = setTimeout(() => this.close(timeoutError('connect', connectMs)), connectMs);
    socket.once(isTls(url) ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    return () => clearTimeout(timer);
  }
}

const isTls = ({ protocol }: URL): boolean => protocol === 'https:';

function openSocket({ url, tls }: ConnectionTarget, onRead: (length: number) => void): Socket {
  // A name in brackets is an IPv6 address.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (isTls(url) ? 443 : 80) : Number(url.port);
  const onread: OnReadOpts = {
    buffer: readMemory,
    callback: length => {
      onRead(length);
      return true;
    },
  };
  if (!isTls(url)) return withOptions(connectPlain({ host, port, onread }));
  // The types leave out `onread`, which TLS sockets take as plain ones do.
  const options: ConnectionOptions & { onread: OnReadOpts } = {
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    ...(tls.session && { session: tls.session }),
    onread,
  };
  return withOptions(
    connectTls(options).on('session', session => {
      tls.session = session;
    }),
  );
}

const withOptions = (socket: Socket): Socket => socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
