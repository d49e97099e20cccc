/** The waits of a process that ends: until its work is done, and no longer than it may take. */
import type { Clock } from '../../port/clock';

const POLL_MS = 50;

export class Drain {
  private isCut = false;

  constructor(private readonly clock: Clock) {}

  /** Resolves when nothing works any more, after `milliseconds`, or when the wait is cut. */
  async untilIdle(isWorking: () => boolean, milliseconds: number): Promise<void> {
    const deadline = this.clock.monotonic() + milliseconds;
    while (isWorking() && !this.isCut && this.clock.monotonic() < deadline) await this.pause(POLL_MS);
  }

  /** Ends `untilIdle` at once. */
  cut(): void {
    this.isCut = true;
  }

  /** Resolves when the work is done, at the latest after `milliseconds`. */
  async atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
    await Promise.race([work, this.pause(milliseconds)]);
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => this.clock.after(milliseconds, resolve));
  }
}
