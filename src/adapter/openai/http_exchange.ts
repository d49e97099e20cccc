/** One request over undici, and the reading of its response. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AppError } from '../../errors';
import { type BodyDecoder, codingsOf, createBodyDecoder, UnknownCodingError } from '../network/body_decoder';
import { connectionLost, toConnectionError } from './connection_errors';
import { badResponse, StatusError } from './model_errors';

export interface ExchangeInput {
  /**
   * Gets the body of a 2xx response, decompressed; the piece is valid only during the call. An exception ends the exchange and the connection.
   */
  onPiece: (piece: Buffer) => void;
  /** Called when the exchange ends before its response does: closes the connection. */
  onBreak: () => void;
}

/** An error page is truncated to this size. */
const MAX_ERROR_BODY_BYTES = 16 * 1024;
/** Milliseconds to wait for the rest of an error page. */
const ERROR_PAGE_MS = 2_000;

/**
 * Reads the response. `promise` rejects with a StatusError when the status is not 2xx, with an AppError `model_*` when the connection fails, and with
 * what `onPiece` throws.
 */
export class RunningExchange implements Dispatcher.DispatchHandler {
  /** The connection was made before this moment, and the request was written. */
  isSent = false;
  status: number | undefined;
  /** True when the connection failed before an answer, so the request may be sent once more over another connection. */
  isUnanswered = false;
  private headers: Record<string, string> = {};
  private isEnded = false;
  private decoder: BodyDecoder | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private pageTimer: NodeJS.Timeout | undefined;
  private readonly page: Buffer[] = [];
  private pageBytes = 0;
  private readonly result = Promise.withResolvers<void>();

  constructor(private readonly input: ExchangeInput) {}

  get promise(): Promise<void> {
    return this.result.promise;
  }

  /** Ends the exchange and its connection. The status of a refusal says more than the reason why its body ended. */
  fail(reason: unknown): void {
    if (!this.settle()) return;
    this.decoder?.destroy();
    this.input.onBreak();
    this.result.reject(this.refusal ?? reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.isSent = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Skips an interim response such as 103, which comes before the final one.
    if (status < 200 || this.isEnded) return;
    this.status = status;
    this.headers = toTexts(headers);
    if (this.isRefused) this.pageTimer = setTimeout(() => this.fail(undefined), ERROR_PAGE_MS);
    const codings = codingsOf(this.headers['content-encoding'], this.headers['transfer-encoding']);
    if (codings.length > 0) this.startDecoder(codings);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    // The caller may have ended the exchange while a read with several pieces is parsed.
    if (this.isEnded) return;
    if (!this.decoder) this.read(piece);
    else if (!this.decoder.push(piece)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.decoder) this.decoder.end();
    else this.succeed();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.isUnanswered = this.status === undefined;
    this.fail(this.status === undefined ? toConnectionError(error) : connectionLost(error));
  }

  private startDecoder(codings: string[]): void {
    try {
      this.decoder = createBodyDecoder(codings, {
        onPiece: piece => this.read(piece),
        onDrain: () => this.controller?.resume(),
        onEnd: () => this.succeed(),
        onError: error => this.fail(toBodyError(error)),
      });
    } catch (thrown) {
      this.fail(toBodyError(thrown as Error));
    }
  }

  private read(piece: Buffer): void {
    try {
      if (this.isRefused) this.keepPage(piece);
      else this.input.onPiece(piece);
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  private succeed(): void {
    const { refusal } = this;
    if (!this.settle()) return;
    if (refusal) this.result.reject(refusal);
    else this.result.resolve();
  }

  private keepPage(piece: Buffer): void {
    this.page.push(Buffer.from(piece));
    this.pageBytes += piece.length;
    if (this.pageBytes >= MAX_ERROR_BODY_BYTES) this.fail(undefined);
  }

  /** Returns whether this call has ended the exchange. */
  private settle(): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    clearTimeout(this.pageTimer);
    return true;
  }

  private get isRefused(): boolean {
    return this.status !== undefined && this.status > 299;
  }

  /** The error of a status other than 2xx, with what has arrived of its body. */
  private get refusal(): StatusError | undefined {
    if (this.status === undefined || !this.isRefused) return undefined;
    const text = Buffer.concat(this.page).subarray(0, MAX_ERROR_BODY_BYTES).toString('utf8');
    return new StatusError(this.status, this.headers, text);
  }
}

/** Joins the values of a header that came several times with a comma. */
function toTexts(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return texts;
}

/** Converts the error of a body that cannot be decompressed. */
const toBodyError = (cause: Error): AppError =>
  cause instanceof UnknownCodingError
    ? badResponse(
        [
          `it is compressed as "${cause.coding.slice(0, 40)}", which was not asked for`,
          `使用了未请求的压缩方式“${cause.coding.slice(0, 40)}”`,
        ],
        cause,
      )
    : badResponse(['its compressed body is damaged', '压缩的响应体已损坏'], cause);
