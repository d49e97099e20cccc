import type { Clock } from '../../port/clock';

export interface Limit {
  readonly signal: AbortSignal;
  /** True when the time limit has passed. */
  readonly isOver: boolean;
  /** Stops the timer. Call it when the work has ended. */
  stop(): void;
}

/** Makes a signal that aborts after `limitMs`, and with `outer`. */
export function withLimit(clock: Clock, limitMs: number, outer?: AbortSignal): Limit {
  const own = new AbortController();
  const stop = clock.after(limitMs, () => own.abort(new Error('The time limit was reached.')));
  return {
    signal: outer ? AbortSignal.any([own.signal, outer]) : own.signal,
    get isOver() {
      return own.signal.aborted;
    },
    stop,
  };
}
