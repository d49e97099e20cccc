/**
 * The `fetch` of a vendor's client for one attempt. It sends over the connections, the proxy and the certificates of the chat adapter, and fails with
 * the same errors.
 */
import { AppError } from '../../errors';
import { reportedError } from '../openai/error_shapes';
import type { HttpPost, RequestHeaders } from '../openai/http_post';
import { isRecord } from '../openai/json_value';
import { badResponse, StatusError, tooLarge } from '../openai/model_errors';
import type { ModelLimits } from '../openai/model_limits';

export interface SdkFetchOptions {
  http: HttpPost;
  limits: ModelLimits;
  /** Closes the connection. */
  signal: AbortSignal;
  /** Further headers, such as those of a trace. */
  headers?: RequestHeaders;
  /** Called with each piece of the answer's body. */
  onBytes: () => void;
  /** Converts what the server reports with status 200. */
  toError: (said: unknown) => AppError;
  /** Says which answer is good. */
  expects: 'events' | 'document';
}

export interface SdkFetch {
  fetch: typeof fetch;
  /** The error of the connection or of the server. Clients wrap errors of `fetch`, and some drop them. */
  readonly failure: unknown;
}

/** Vendors' clients get a 2xx response of the expected kind alone: `fetch` rejects with a StatusError or an AppError `model_*` otherwise. */
export function createSdkFetch(options: SdkFetchOptions): SdkFetch {
  let failure: unknown;
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const body = new StreamedBody(options);
    const signal = init.signal ? AbortSignal.any([options.signal, init.signal]) : options.signal;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity', ...options.headers };
    const request = { url: new URL(input instanceof Request ? input.url : input), body: [bytesOf(init.body)], headers, signal };
    options.http.send({ ...request, onPiece: piece => body.push(piece) }).then(
      () => body.end(),
      thrown => body.fail(thrown),
    );
    body.failed.catch((thrown: unknown) => {
      failure ??= thrown;
    });
    return body.response;
  };
  return {
    fetch: send,
    get failure() {
      return failure;
    },
  };
}

function bytesOf(body: RequestInit['body']): Uint8Array {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new Error('The client of the vendor sends a body that is neither text nor bytes.');
}

const LINE_FEED = 10;

/** The body of one response. The first visible byte decides: a stream of events goes on to the client, JSON alone and web pages are errors. */
class StreamedBody {
  private readonly opened = Promise.withResolvers<Response>();
  private readonly broken = Promise.withResolvers<never>();
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private readonly document: Buffer[] = [];
  private format: 'events' | 'document' | undefined;
  private bytes = 0;
  private lineBytes = 0;

  constructor(private readonly options: SdkFetchOptions) {
    // Either promise may have no reader.
    this.opened.promise.catch(() => {});
  }

  get response(): Promise<Response> {
    return this.opened.promise;
  }

  /** Rejects when the answer fails; never resolves. */
  get failed(): Promise<never> {
    return this.broken.promise;
  }

  push(piece: Buffer): void {
    this.options.onBytes();
    this.checkSize(piece);
    this.format ??= formatOf(piece);
    if (this.format === 'document') this.document.push(Buffer.from(piece));
    else if (this.format === 'events') this.open().enqueue(new Uint8Array(piece));
  }

  end(): void {
    if (this.format === 'document') this.endDocument();
    else
      try {
        this.open().close();
      } catch {
        // The client has left the stream.
      }
  }

  fail(thrown: unknown): void {
    this.broken.reject(thrown);
    this.opened.reject(thrown);
    try {
      this.controller?.error(thrown);
    } catch {
      // The client has left the stream.
    }
  }

  private open(): ReadableStreamDefaultController<Uint8Array> {
    if (this.controller) return this.controller;
    const stream = new ReadableStream<Uint8Array>({
      start: controller => {
        this.controller = controller;
      },
    });
    this.opened.resolve(new Response(stream, { headers: { 'content-type': 'text/event-stream' } }));
    return this.controller as unknown as ReadableStreamDefaultController<Uint8Array>;
  }

  private checkSize(piece: Buffer): void {
    const { maxBodyBytes, maxEventBytes } = this.options.limits;
    this.bytes += piece.length;
    const end = piece.lastIndexOf(LINE_FEED);
    this.lineBytes = end < 0 ? this.lineBytes + piece.length : piece.length - end - 1;
    if (this.bytes > maxBodyBytes) throw tooLarge([`more than ${maxBodyBytes} bytes in all`, `总共超过 ${maxBodyBytes} 字节`]);
    if (this.lineBytes > maxEventBytes)
      throw tooLarge([`more than ${maxEventBytes} bytes in one event`, `单个事件超过 ${maxEventBytes} 字节`]);
  }

  private endDocument(): void {
    const text = Buffer.concat(this.document).toString('utf8');
    const problem = this.problemOf(text);
    if (problem) this.fail(problem);
    else this.opened.resolve(new Response(text, { headers: { 'content-type': 'application/json' } }));
  }

  private problemOf(text: string): AppError | undefined {
    try {
      const parsed: unknown = JSON.parse(text);
      const answer: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
      if (isRecord(answer) && reportedError(answer) !== undefined) return this.options.toError(answer);
      if (this.options.expects === 'document') return undefined;
      return badResponse([
        'it is JSON, but no stream of an answer; check api and base URL',
        '是 JSON，但不是回答的流；请检查 api 和基础地址',
      ]);
    } catch (cause) {
      return badResponse(['it is not valid JSON', '不是有效的 JSON'], cause);
    }
  }
}

/** Returns undefined for white space alone. */
function formatOf(piece: Buffer): 'events' | 'document' | undefined {
  const [start] = piece.toString('latin1', 0, 64).replace(/^(?:\xEF\xBB\xBF|\s)+/, '');
  if (start === undefined) return undefined;
  if (start === '<') throw badResponse(['it is a web page; check the base URL', '是一个网页；请检查基础地址']);
  return start === '{' || start === '[' ? 'document' : 'events';
}

/** Returns the error that a client of a vendor threw, or the one behind it that says more. */
export function causeOf(thrown: unknown, toError: (said: unknown) => AppError): unknown {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth++) {
    if (error instanceof AppError || error instanceof StatusError) return error;
    const said: unknown = Reflect.get(error, 'error');
    if (isRecord(said)) return toError(said);
  }
  if (thrown instanceof SyntaxError)
    return badResponse(['an event of its stream is not valid JSON', '流中有一个事件不是有效的 JSON'], thrown);
  return thrown;
}
