/** When a server is tried again: later after each failure in a row, with jitter, so that servers that failed together do not return together. */
import type { Clock } from '../../port/clock';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Milliseconds after which a connection counts as steady, and retries start from the shortest pause again. */
const STEADY_MS = 30_000;

export class RetrySchedule {
  private failures = 0;
  private connectedAt: number | undefined;
  private dueAt: number | undefined;
  private stopTimer = () => {};

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** Milliseconds until the next try; undefined when none is planned. */
  get leftMs(): number | undefined {
    return this.dueAt === undefined ? undefined : Math.max(0, Math.round(this.dueAt - this.clock.monotonic()));
  }

  noteConnected(): void {
    this.connectedAt = this.clock.monotonic();
  }

  /** Plans the next try after a failure. */
  plan(retry: () => void): void {
    const lasted = this.connectedAt === undefined ? 0 : this.clock.monotonic() - this.connectedAt;
    this.failures = lasted >= STEADY_MS ? 1 : this.failures + 1;
    this.connectedAt = undefined;
    const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.failures - 1)) * (0.5 + this.random() / 2);
    this.cancel();
    this.dueAt = this.clock.monotonic() + delay;
    this.stopTimer = this.clock.after(delay, () => {
      this.dueAt = undefined;
      retry();
    });
  }

  cancel(): void {
    this.stopTimer();
    this.dueAt = undefined;
  }

  /** Begins with short delays again. */
  reset(): void {
    this.cancel();
    this.failures = 0;
  }
}
