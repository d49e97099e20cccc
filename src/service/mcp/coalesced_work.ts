import type { Clock } from '../../port/clock';

/** Runs work some time after it was requested. Requests that come until then share one run; those that come during a run share the next one. */
export class CoalescedWork {
  private state: 'idle' | 'planned' | 'running' = 'idle';
  private isWantedAgain = false;

  /** `work` must not reject. */
  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
    private readonly work: () => Promise<void>,
  ) {}

  request(): void {
    if (this.state === 'running') this.isWantedAgain = true;
    if (this.state !== 'idle') return;
    this.state = 'planned';
    this.clock.after(this.delayMs, () => void this.run());
  }

  private async run(): Promise<void> {
    this.state = 'running';
    await this.work();
    this.state = 'idle';
    if (!this.isWantedAgain) return;
    this.isWantedAgain = false;
    this.request();
  }
}
