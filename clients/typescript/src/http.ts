/** Sends requests, repeats those that failed for a while, and turns error answers into NetaError. */

export interface NetaOptions {
  /** Address of the gateway. Default: http://127.0.0.1:7001. */
  url?: string;
  /** API key; a gateway on this machine may need none. */
  apiKey?: string;
  /** Language of error messages. */
  locale?: 'en' | 'zh-CN';
  /** How often a request or a broken event stream is tried again in a row. Default: 4. */
  retries?: number;
  fetch?: typeof fetch;
}

interface ErrorFields {
  /** JSON pointer to the wrong part of the request. */
  param?: string;
  retryable?: boolean;
  retryAfterMs?: number;
  requestId?: string;
  details?: Record<string, unknown>;
}

/** An error of the gateway, see docs/errors.md; `code` is `unreachable` and `status` 0 when no answer came. */
export class NetaError extends Error {
  override readonly name = 'NetaError';

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly fields: ErrorFields = {},
  ) {
    super(message);
  }
}

export interface HttpRequest {
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;

export class Http {
  readonly retries: number;
  private readonly url: string;

  constructor(private readonly options: NetaOptions) {
    this.url = (options.url ?? 'http://127.0.0.1:7001').replace(/\/+$/, '');
    this.retries = options.retries ?? 4;
  }

  /**
   * Resolves with a successful answer. A POST carries an Idempotency-Key, so a repetition does nothing twice.
   * Rejects with NetaError, or the signal's reason.
   */
  async send(request: HttpRequest): Promise<Response> {
    const headers = { ...(request.method === 'post' && { 'idempotency-key': crypto.randomUUID() }), ...request.headers };
    for (let failures = 0; ; failures++) {
      try {
        return await this.sendOnce({ ...request, headers });
      } catch (thrown) {
        if (!(thrown instanceof NetaError) || !thrown.fields.retryable || failures >= this.retries) throw thrown;
        await pause(failures, thrown.fields.retryAfterMs, request.signal);
      }
    }
  }

  async sendOnce({ method, path, query = {}, body, headers, signal }: HttpRequest): Promise<Response> {
    const { apiKey, locale, fetch: send = fetch } = this.options;
    const given = givenTexts(query);
    const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
    const response = await send(`${this.url}${path}${search}`, {
      method: method.toUpperCase(),
      headers: givenTexts({
        'content-type': body === undefined ? undefined : 'application/json',
        authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
        'accept-language': locale,
        ...headers,
      }),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    }).catch((thrown: unknown) => {
      signal?.throwIfAborted();
      throw unreachable(this.url, thrown);
    });
    if (response.ok) return response;
    throw await toError(response);
  }
}

const givenTexts = (values: object): [string, string][] =>
  Object.entries(values).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]));

export function unreachable(what: string, cause?: unknown): NetaError {
  const reason = cause instanceof Error ? `: ${(cause.cause as Error | undefined)?.message ?? cause.message}` : '';
  return new NetaError('unreachable', `No answer from ${what}${reason}.`, 0, { retryable: true });
}

/** Resolves after the pause that the gateway asked for, else after one that doubles with each failure. Rejects with the signal's reason. */
export async function pause(failures: number, retryAfterMs?: number, signal?: AbortSignal): Promise<void> {
  const milliseconds = retryAfterMs ?? Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2);
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
  signal?.throwIfAborted();
}

async function toError(response: Response): Promise<NetaError> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => ({}))) as { error?: Record<string, unknown> };
  const { code = 'unknown', message = `The gateway answered ${status}.`, ...fields } = body.error ?? {};
  // Proxies answer 502 to 504 without the fields of the gateway.
  const retryable = headers.get('x-should-retry') !== 'false' && (body.error ? fields['retryable'] === true : status >= 502);
  return new NetaError(String(code), String(message), status, { ...fields, retryable });
}
