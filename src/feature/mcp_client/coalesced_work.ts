import type { Clock } from '../../port/clock';

/** Milliseconds without a request after which delays begin anew. */
const QUIET_MS = 60_000;
const LONGEST_DELAY_MS = 30_000;

/**
 * Runs work some time after it was requested. Requests until then share one run of the work; requests during a run share the next. Each run that soon
 * follows another waits twice as long, so that a source with many requests takes little time.
 */
export class CoalescedWork {
  private state: 'idle' | 'planned' | 'running' = 'idle';
  private isWantedAgain = false;
  private runs = 0;
  private endedAt = Number.NEGATIVE_INFINITY;

  /** `work` must not reject. `delayMs`: milliseconds before the first run. */
  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
    private readonly work: () => Promise<void>,
  ) {}

  request(): void {
    if (this.state === 'running') this.isWantedAgain = true;
    if (this.state !== 'idle') return;
    this.state = 'planned';
    if (this.clock.monotonic() - this.endedAt > QUIET_MS) this.runs = 0;
    const delayMs = Math.min(LONGEST_DELAY_MS, this.delayMs * 2 ** this.runs);
    this.runs += 1;
    this.clock.after(delayMs, () => void this.run());
  }

  private async run(): Promise<void> {
    this.state = 'running';
    await this.work();
    this.state = 'idle';
    this.endedAt = this.clock.monotonic();
    if (!this.isWantedAgain) return;
    this.isWantedAgain = false;
    this.request();
  }
}
