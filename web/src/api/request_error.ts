/** A refused or lost request over REST or Socket.IO. With our own codes `disconnected` and `timeout` it is unknown whether it arrived. */
export class RequestError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly retryable: boolean,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'RequestError';
  }

  /** True when the outcome is unknown. The same request may be sent again under the same id. */
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
  return new RequestError(
    typeof code === 'string' ? code : 'internal',
    typeof message === 'string' ? message : fallback,
    field(error, 'retryable') === true,
    typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
