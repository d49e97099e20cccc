/** A timeout that can be paused, for example while a run waits for a person. */
import type { Clock } from '../port/clock';

export class PausableDeadline {
  private remainingMs: number;
  private startedAt = 0;
  private pauses = 1;
  private stopTimer = () => {};

  /** Starts the time at once. Calls `onExpire` once, when `limitMs` have passed, pauses not counted. */
  constructor(
    private readonly clock: Clock,
    limitMs: number,
    private readonly onExpire: () => void,
  ) {
    this.remainingMs = limitMs;
    this.resume();
  }

  /** Milliseconds that are left; 0 once the limit is reached. */
  get leftMs(): number {
    const running = this.pauses > 0 ? 0 : this.clock.monotonic() - this.startedAt;
    return Math.max(0, this.remainingMs - running);
  }

  /** Stops the time. Pauses nest: each one needs a `resume` before the time runs again. */
  pause(): void {
    if (this.pauses++ > 0) return;
    this.stopTimer();
    this.remainingMs -= this.clock.monotonic() - this.startedAt;
  }

  /** Ends one pause. The time runs again when the last pause has ended. */
  resume(): void {
    if (--this.pauses > 0) return;
    this.startedAt = this.clock.monotonic();
    this.stopTimer = this.clock.after(Math.max(0, this.remainingMs), this.onExpire);
  }

  /** Ends the deadline for good: `onExpire` is not called any more. */
  stop(): void {
    this.stopTimer();
    this.pauses = Number.POSITIVE_INFINITY;
  }
}
