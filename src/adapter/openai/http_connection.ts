/**
 * One connection to a model server, plain or TLS, which serves one request at a time. It reads all responses into one piece of memory and parses
 * them there: streams, headers and events of `node:http` cost three times as much (docs/decisions/0078).
 */
import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { HttpResponseParser, type ResponseHandlers, type ResponseHead } from './http_response_parser';
import { connectionLost, InvalidHttpError, StatusError, timeoutError, toConnectionError } from './model_errors';

export interface ConnectionTarget {
  url: URL;
  /** Milliseconds for name lookup, TCP and TLS. */
  connectMs: number;
  /** The TLS session of an earlier connection, which shortens the next handshake. */
  tls: { session?: Buffer };
}

export interface HttpExchange {
  /** The request line and the headers, with the empty line behind them. */
  head: string;
  body: readonly Uint8Array[];
  /** Ends the exchange and the connection. */
  signal: AbortSignal;
  /** Gets the body of a 2xx response; the piece is valid only during the call. An exception ends the exchange and the connection. */
  onPiece: (piece: Buffer) => void;
}

/** An error page is truncated to this size. */
const MAX_ERROR_BODY_BYTES = 16 * 1024;
/** Milliseconds before the timeout of the server from which on an idle connection is not used. */
const EXPIRY_MARGIN_MS = 1_000;
/** Milliseconds of silence after which the system asks whether the server is still there. */
const KEEP_ALIVE_MS = 1_000;

/** All connections read into this memory, since each read is parsed before the next one begins. */
const readMemory = Buffer.allocUnsafeSlow(64 * 1024);

export class HttpConnection {
  private readonly socket: Socket;
  private exchange: RunningExchange | undefined;
  private failure: Error | undefined;
  /** The server closes the idle connection at about this time, in milliseconds of `performance.now()`. */
  private expiresAt = Number.POSITIVE_INFINITY;
  private isOpen = true;

  constructor(
    private readonly target: ConnectionTarget,
    private readonly onClose: () => void,
  ) {
    this.socket = openSocket(target, length => this.read(length));
    this.socket.on('error', error => {
      this.failure ??= error;
      // The server may have refused the session of an earlier connection.
      delete this.target.tls.session;
    });
    this.socket.once('end', () => this.socket.destroy());
    this.socket.once('close', () => this.onSocketClose());
  }

  /** An idle connection that can take a request. */
  get isUsable(): boolean {
    return this.isOpen && !this.socket.destroyed && performance.now() < this.expiresAt;
  }

  /** Call it on a connection that is new or usable. Settles as HttpPost.send does. */
  send(exchange: HttpExchange): Promise<void> {
    const { signal } = exchange;
    const onAbort = () => this.close(signal.reason);
    const stopTimer = this.limitConnecting();
    const running = new RunningExchange(exchange.onPiece, () => {
      stopTimer?.();
      signal.removeEventListener('abort', onAbort);
      this.exchange = undefined;
    });
    this.exchange = running;
    signal.addEventListener('abort', onAbort);
    this.socket.ref();
    this.write(exchange);
    return running.promise;
  }

  /** Closes the connection; a running exchange rejects with the reason. */
  close(reason: unknown): void {
    this.isOpen = false;
    this.socket.destroy();
    this.exchange?.fail(reason);
  }

  private write({ head, body }: HttpExchange): void {
    this.socket.cork();
    this.socket.write(head, 'latin1');
    for (const piece of body) this.socket.write(piece);
    this.socket.uncork();
  }

  private read(length: number): void {
    const { exchange } = this;
    try {
      exchange?.parser.push(readMemory, length);
      // The server sent bytes without a request, such as a 408.
      if (!exchange) this.close(undefined);
      // The caller may have ended the exchange with its last piece.
      else if (exchange.parser.isComplete && this.exchange === exchange) this.finish(exchange);
    } catch (thrown) {
      this.close(exchange && thrown instanceof InvalidHttpError ? exchange.lost(thrown) : thrown);
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
    const seconds = /timeout=(\d+)/.exec(head?.headers['keep-alive'] ?? '')?.[1];
    this.expiresAt = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + Number(seconds) * 1_000 - EXPIRY_MARGIN_MS;
    this.socket.unref();
  }

  private onSocketClose(): void {
    this.isOpen = false;
    const { exchange, failure } = this;
    if (!failure && exchange?.parser.end()) exchange.succeed();
    else exchange?.fail(exchange.lost(failure));
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

/** One request and its response. */
class RunningExchange implements ResponseHandlers {
  readonly parser = new HttpResponseParser(this);
  head: ResponseHead | undefined;
  private readonly result = Promise.withResolvers<void>();
  private isEnded = false;
  private errorBody: Buffer[] = [];
  private errorBytes = 0;

  /** `cleanUp` is called once, at the end. */
  constructor(
    private readonly onPiece: (piece: Buffer) => void,
    private readonly cleanUp: () => void,
  ) {}

  get promise(): Promise<void> {
    return this.result.promise;
  }

  /** The response is complete. Rejects when its status is not 2xx. */
  succeed(): void {
    const { refusal } = this;
    if (refusal) this.fail(refusal);
    else if (this.end()) this.result.resolve();
  }

  /** The status of a refusal says more than the reason why its body ended. */
  fail(reason: unknown): void {
    if (this.end()) this.result.reject(this.refusal ?? reason);
  }

  onHead(head: ResponseHead): void {
    this.head = head;
  }

  onBody(piece: Buffer): void {
    if (this.isRefused) this.keepError(piece);
    // The caller may have ended the exchange while a read with several pieces is parsed.
    else if (!this.isEnded) this.onPiece(piece);
  }

  /** Returns the error of a connection that failed before the end of the response. */
  lost(failure: Error | undefined): Error {
    if (this.head) return connectionLost(failure);
    return toConnectionError(failure ?? Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
  }

  /** Returns whether this call has ended the exchange. */
  private end(): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    this.cleanUp();
    return true;
  }

  private keepError(piece: Buffer): void {
    this.errorBody.push(Buffer.from(piece));
    this.errorBytes += piece.length;
    if (this.errorBytes >= MAX_ERROR_BODY_BYTES) throw this.refusal;
  }

  private get isRefused(): boolean {
    return this.head !== undefined && (this.head.status < 200 || this.head.status > 299);
  }

  /** The error of a status other than 2xx, with what has arrived of its body. */
  private get refusal(): StatusError | undefined {
    if (!this.head || !this.isRefused) return undefined;
    const text = Buffer.concat(this.errorBody).subarray(0, MAX_ERROR_BODY_BYTES).toString('utf8');
    return new StatusError(this.head.status, this.head.headers, text);
  }
}

const isTls = ({ protocol }: URL): boolean => protocol === 'https:';

function openSocket({ url, tls }: ConnectionTarget, onRead: (length: number) => void): Socket {
  // A name in brackets is an IPv6 address.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (isTls(url) ? 443 : 80);
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
