/** Limits of one model call. Times in milliseconds, sizes in bytes of UTF-8. */
export interface ModelLimits {
  /** Name lookup, TCP and TLS of one connection. */
  connectMs: number;
  /** Time from the start of an attempt to the first byte of the answer's body. */
  firstByteMs: number;
  /** Time between two events that add to the answer. Comments and empty events, which keep a connection open, do not count. */
  idleMs: number;
  /** The whole call with its retries and waits. */
  wholeMs: number;
  /** Time from the finish reason to the end of the stream, for usage; afterwards the answer counts as complete. */
  trailerMs: number;
  /** Text of an answer; its reasoning has the same limit of its own. */
  maxTextBytes: number;
  maxArgumentBytes: number;
  /** Arguments of all calls of an answer together. */
  maxAllArgumentBytes: number;
  maxCalls: number;
  maxCallIndex: number;
  /** One line, or one event, of the stream. */
  maxEventBytes: number;
  /** The whole body, comments included. */
  maxBodyBytes: number;
  /** Attempts after the first one; there is no retry once part of the answer was shown. */
  maxRetries: number;
  /** First wait before a retry; doubles each time, jittered. */
  retryBaseMs: number;
  retryMaxMs: number;
  /** No retry when the server asks to wait longer than this. */
  maxRetryAfterMs: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_MODEL_LIMITS: Readonly<ModelLimits> = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  wholeMs: 600_000,
  trailerMs: 2_000,
  maxTextBytes: 4 * MiB,
  maxArgumentBytes: MiB,
  maxAllArgumentBytes: 4 * MiB,
  maxCalls: 32,
  maxCallIndex: 127,
  maxEventBytes: 8 * MiB,
  maxBodyBytes: 256 * MiB,
  maxRetries: 2,
  retryBaseMs: 500,
  retryMaxMs: 8_000,
  maxRetryAfterMs: 60_000,
};
