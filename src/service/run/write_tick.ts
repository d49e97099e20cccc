/** Wakes the writers of all runs at the same moment, so that their background writes share one commit and one sync to disk. */
import type { Clock } from '../../port/clock';

/** Milliseconds that an event waits at most before its background write begins. */
const TICK_MS = 100;

export class WriteTick {
  private waiting: (() => void)[] = [];

  constructor(private readonly clock: Clock) {}

  /** Calls back at the next tick. The first caller starts the timer; later callers share it. */
  wait(callback: () => void): void {
    this.waiting.push(callback);
    if (this.waiting.length === 1) this.clock.after(TICK_MS, () => this.wakeAll());
  }

  private wakeAll(): void {
    const callbacks = this.waiting;
    this.waiting = [];
    for (const callback of callbacks) callback();
  }
}
