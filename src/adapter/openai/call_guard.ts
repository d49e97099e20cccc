import { timeoutError } from './model_errors';
import type { ModelLimits } from './model_limits';

/**
 * Timeouts and cancellation of one model call: the caller's signal, the timeout of the whole call, and the timeout of the attempt's phase. The
 * first to fire aborts the signal of the current attempt and becomes its reason. `dispose` removes every timer and listener.
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
    this.wholeTimer = setTimeout(() => this.endCall(timeoutError('whole', limits.totalMs, limits)), limits.totalMs);
    if (caller.aborted) this.onCallerAbort();
    else caller.addEventListener('abort', this.onCallerAbort);
  }

  /** Starts an attempt with the timeout for its first byte. Throws when the call has ended. */
  startAttempt(): AbortSignal {
    this.throwIfEnded();
    this.attempt = new AbortController();
    this.startPhase('first_byte', this.limits.firstByteMs);
    return this.attempt.signal;
  }

  /** Aborts the attempt when `touch` is not called for `limitMs`. */
  startPhase(phase: 'first_byte' | 'idle', limitMs: number): void {
    clearTimeout(this.phaseTimer);
    const { attempt } = this;
    this.phaseTimer = setTimeout(() => attempt.abort(timeoutError(phase, limitMs, this.limits)), limitMs);
  }

  touch(): void {
    this.phaseTimer?.refresh();
  }

  /** The caller aborted, or the timeout of the whole call fired. */
  get hasEnded(): boolean {
    return this.callEnd.signal.aborted;
  }

  /** Throws the reason when the whole call has ended. */
  throwIfEnded(): void {
    this.callEnd.signal.throwIfAborted();
  }

  /** Waits between attempts; rejects with the reason when the call ends first. */
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
