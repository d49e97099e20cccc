/** Limits of one model call. Times in milliseconds, sizes in bytes of UTF-8. */
export interface ModelLimits {
  /** Name lookup, TCP and TLS of one connection. */
  connectMs: number;
  /** Time from the start of an attempt to the first byte of the answer's body. */
  firstByteMs: number;
  /**
   * Time between two events that add to the answer. Comments and empty events, which keep a connection open, count only where the dialect of the
   * server says that they show life.
   */
  idleMs: number;
  /** The whole call with its retries and waits. */
  totalMs: number;
  /** True: no setting can raise the times, so error texts name none. */
  areTimesFixed?: boolean;
  /** Time from the finish reason to the end of the stream, for usage; afterwards the answer counts as complete. */
  trailerMs: number;
  /** Text of an answer; its reasoning has the same limit of its own. */
  maxTextBytes: number;
  maxArgumentBytes: number;
  /** Arguments of all calls of an answer together. */
  maxAllArgumentBytes: number;
  maxCalls: number;
  maxCallIndex: number;
  /** The most bytes of one line, or one event, of the stream. */
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
  firstByteMs: 300_000,
  idleMs: 120_000,
  totalMs: 1_200_000,
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
