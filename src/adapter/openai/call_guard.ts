import { timeoutError } from './model_errors';
import type { ModelLimits } from './model_limits';

/**
 * Time and cancellation of one model call: the caller's signal, the limit of the whole call, and the limit of the phase an attempt is in.
 * Whatever comes first aborts the signal of the current attempt and becomes its reason. `dispose` leaves no timer or listener behind.
 */
export class CallGuard {
  private attempt = new AbortController();
  private phaseTimer: NodeJS.Timeout | undefined;
  private readonly wholeTimer: NodeJS.Timeout;
  private readonly callEnd = new AbortController();
  private readonly onCallerAbort: () => void;

  constructor(
    private readonly caller: AbortSignal,
    private readonly limits: ModelLimits,
  ) {
    this.onCallerAbort = () => this.endCall(caller.reason);
    this.wholeTimer = setTimeout(() => this.endCall(timeoutError('whole', limits.wholeMs)), limits.wholeMs);
    if (caller.aborted) this.onCallerAbort();
    else caller.addEventListener('abort', this.onCallerAbort);
  }

  /** Starts an attempt with the limit for its first byte. Throws when the call is over. */
  startAttempt(): AbortSignal {
    this.throwIfEnded();
    this.attempt = new AbortController();
    this.startPhase('first_byte', this.limits.firstByteMs);
    return this.attempt.signal;
  }

  /** From now on at most this long between two calls of `touch`. */
  startPhase(phase: 'first_byte' | 'idle', limitMs: number): void {
    clearTimeout(this.phaseTimer);
    const { attempt } = this;
    this.phaseTimer = setTimeout(() => attempt.abort(timeoutError(phase, limitMs)), limitMs);
  }

  touch(): void {
    this.phaseTimer?.refresh();
  }

  /** The caller gave up or the limit of the whole call ran out. */
  get hasEnded(): boolean {
    return this.callEnd.signal.aborted;
  }

  /** Throws why the whole call is over, if it is. */
  throwIfEnded(): void {
    this.callEnd.signal.throwIfAborted();
  }

  /** Waits between attempts; rejects with the reason when the call ends meanwhile. */
  wait(delayMs: number): Promise<void> {
    clearTimeout(this.phaseTimer);
    const { signal } = this.callEnd;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, delayMs);
      signal.addEventListener('abort', onAbort);
    });
  }

  dispose(): void {
    clearTimeout(this.phaseTimer);
    clearTimeout(this.wholeTimer);
    this.caller.removeEventListener('abort', this.onCallerAbort);
  }

  private endCall(reason: unknown): void {
    this.callEnd.abort(reason);
    this.attempt.abort(reason);
  }
}
