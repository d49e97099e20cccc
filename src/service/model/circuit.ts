/**
 * Keeps a failing model out of use for a while. After the cool-down one call tries the model; other calls go to another model until that call has an
 * answer. Pure: times are passed in, in milliseconds since 1970.
 */

/** A model that failed is not asked for this long. */
const COOL_DOWN_MS = 60_000;

export interface Failure {
  reason: string;
  reasonZh: string;
  code?: string;
  at: number;
}

export class Circuit {
  private failure: Failure | undefined;
  /** The call that tries the model after the cool-down. */
  private probe: object | undefined;

  /** The last failure, until a call succeeds. */
  get lastFailure(): Failure | undefined {
    return this.failure;
  }

  isCooling(now: number): boolean {
    return this.failure !== undefined && now < this.failure.at + COOL_DOWN_MS;
  }

  /** Milliseconds since 1970 at which the next call may try a model that failed. */
  get retryAt(): number | undefined {
    return this.failure && this.failure.at + COOL_DOWN_MS;
  }

  /** Returns true when `call` may go to the model now. Report its end with `succeed`, `fail` or `leave`. */
  tryEnter(now: number, call: object): boolean {
    if (!this.failure) return true;
    if (this.isCooling(now) || this.probe) return false;
    this.probe = call;
    return true;
  }

  succeed(): void {
    this.failure = undefined;
    this.probe = undefined;
  }

  fail(failure: Failure): void {
    this.failure = failure;
    this.probe = undefined;
  }

  /** Ends `call` without a result for the model: its caller cancelled it, for example. */
  leave(call: object): void {
    if (this.probe === call) this.probe = undefined;
  }
}
