/** A time limit that stands still while a person is waited for. */
import type { Clock } from '../../port/clock';

export class PausableDeadline {
  private remainingMs: number;
  private startedAt = 0;
  private pauses = 1;
  private stopTimer = () => {};

  /** Starts at once; `onExpire` is called once when the running time reaches `limitMs`. */
  constructor(
    private readonly clock: Clock,
    limitMs: number,
    private readonly onExpire: () => void,
  ) {
    this.remainingMs = limitMs;
    this.resume();
  }

  /** Pauses nest: time runs again when every pause has its resume. */
  pause(): void {
    if (this.pauses++ > 0) return;
    this.stopTimer();
    this.remainingMs -= this.clock.monotonic() - this.startedAt;
  }

  resume(): void {
    if (--this.pauses > 0) return;
    this.startedAt = this.clock.monotonic();
    this.stopTimer = this.clock.after(Math.max(0, this.remainingMs), this.onExpire);
  }

  stop(): void {
    this.stopTimer();
    this.pauses = Number.POSITIVE_INFINITY;
  }
}
