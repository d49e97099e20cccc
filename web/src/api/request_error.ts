/** A refused or lost request over REST or Socket.IO. With our own codes `disconnected` and `timeout` it is unknown whether it arrived. */
export class RequestError extends Error {
  readonly details: Record<string, unknown>;
  /** JSON pointer to the field of the request that is wrong. */
  readonly param: string | undefined;
  /** Milliseconds after which the same request may work. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: string,
    message: string,
    readonly retryable: boolean,
    { details = {}, param, retryAfterMs }: { details?: Record<string, unknown>; param?: string; retryAfterMs?: number } = {},
  ) {
    super(message);
    this.name = 'RequestError';
    this.details = details;
    this.param = param;
    this.retryAfterMs = retryAfterMs;
  }

  /** True when it is unknown whether the request arrived. The same request may be sent again under the same id. */
  get isLost(): boolean {
    return this.code === 'disconnected' || this.code === 'timeout';
  }
}

/** Converts an answer of the gateway, `{ error: {...} }`. Anything else becomes `internal` with the fallback text. */
export function toRequestError(answer: unknown, fallback: string): RequestError {
  const error = field(answer, 'error');
  const code = field(error, 'code');
  const message = field(error, 'message');
  const details = field(error, 'details');
  const param = field(error, 'param');
  const retryAfterMs = field(error, 'retryAfterMs');
  return new RequestError(
    typeof code === 'string' ? code : 'internal',
    typeof message === 'string' ? message : fallback,
    field(error, 'retryable') === true,
    {
      details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : undefined,
      param: typeof param === 'string' ? param : undefined,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
    },
  );
}

/** Returns why the gateway refused a request, as a sentence without the pointer to the field; undefined when the request was lost. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof RequestError) || error.isLost) return undefined;
  const sentence = error.message.replace(/^\/[^\s：]*(?:: |：)/, '');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
