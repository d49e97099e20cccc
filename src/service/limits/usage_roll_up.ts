/** Adds the usage of ended runs to their days, in the background: the end of a run waits for nothing and costs no statement more. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

/** Milliseconds from the end of a run until its usage is added; runs that end meanwhile share the work. */
const DELAY_MS = 5_000;

export interface UsageRollUpDeps {
  store: Store;
  clock: Clock;
  onError: LogError;
}

export class UsageRollUp {
  private stopTimer: (() => void) | undefined;
  private isStopped = false;

  constructor(private readonly deps: UsageRollUpDeps) {}

  /** Schedules the adding of usage. Call it after the end of a run was stored. */
  schedule(): void {
    if (this.isStopped) return;
    this.stopTimer ??= this.deps.clock.after(DELAY_MS, () => {
      this.stopTimer = undefined;
      this.rollUp().catch(thrown => this.deps.onError('the usage of runs could not be added up', thrown));
    });
  }

  /** Adds the usage of every ended run that waits, also of runs that an earlier process left. */
  async rollUp(): Promise<void> {
    while ((await this.deps.store.transaction({ leader: 'usage' }, tx => tx.usage.rollUp(), { isPatient: true })) > 0);
  }

  /** Cancels the scheduled work. The usage of ended runs stays in the store, and the next process adds it. */
  stop(): void {
    this.isStopped = true;
    this.stopTimer?.();
  }
}
