import { HttpResponseParser, type ResponseHandlers, type ResponseHead } from './http_response_parser';
import { connectionLost, StatusError, toConnectionError } from './model_errors';

/** One request, and what gets its answer. */
export interface HttpExchange {
  /** The request line and the headers, with the empty line behind them. */
  head: string;
  body: readonly Uint8Array[];
  /** Ends the exchange and the connection. */
  signal: AbortSignal;
  /**
   * Gets the body of a 2xx response; the piece is valid only during the call. An exception ends the exchange and the connection. Runs in no
   * asynchronous context: entering one for each read made tokens dearer (docs/decisions/0078).
   */
  onPiece: (piece: Buffer) => void;
}

/** An error page is truncated to this size. */
const MAX_ERROR_BODY_BYTES = 16 * 1024;

export interface ExchangeHandlers {
  /** Called when the status is not 2xx; the timer that it returns limits the wait for the body. */
  onRefusal: () => NodeJS.Timeout;
  /** Called once. */
  onEnd: () => void;
}

/** The response to one request, and the promise of its end. */
export class RunningExchange implements ResponseHandlers {
  readonly parser = new HttpResponseParser(this);
  head: ResponseHead | undefined;
  hasBytes = false;
  private readonly result = Promise.withResolvers<void>();
  private pageTimer: NodeJS.Timeout | undefined;
  private isEnded = false;
  private errorBody: Buffer[] = [];
  private errorBytes = 0;

  constructor(
    private readonly onPiece: (piece: Buffer) => void,
    private readonly handlers: ExchangeHandlers,
  ) {}

  get promise(): Promise<void> {
    return this.result.promise;
  }

  /** Parses what has arrived. Throws as the parser does. */
  read(bytes: Buffer, length: number): void {
    this.hasBytes = true;
    this.parser.push(bytes, length);
  }

  /** The response is complete. Rejects when its status is not 2xx. */
  succeed(): void {
    const { refusal } = this;
    if (refusal) this.fail(refusal);
    else if (this.settle()) this.result.resolve();
  }

  /** The status of a refusal says more than the reason why its body ended. */
  fail(reason: unknown): void {
    if (this.settle()) this.result.reject(this.refusal ?? reason);
  }

  onHead(head: ResponseHead): void {
    this.head = head;
    if (this.isRefused) this.pageTimer = this.handlers.onRefusal();
  }

  onBody(piece: Buffer): void {
    if (this.isRefused) this.keepError(piece);
    // The caller may have ended the exchange while a read with several pieces is parsed.
    else if (!this.isEnded) this.onPiece(piece);
  }

  /** Returns the error of a connection that failed before the end of the response. */
  toLostError(cause: Error | undefined): Error {
    if (this.head) return connectionLost(cause);
    return toConnectionError(cause ?? Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
  }

  /** Returns whether this call has ended the exchange. */
  private settle(): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    clearTimeout(this.pageTimer);
    this.handlers.onEnd();
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
