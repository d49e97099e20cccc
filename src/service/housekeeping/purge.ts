/** Removes what deleted sessions and memories left in the search indexes and in the files of the database, two seconds after they were deleted. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

/** Milliseconds from a deletion to the purge; further deletions share the purge. */
const DELAY_MS = 2_000;

export class Purge {
  /** Present while a purge is about to begin. */
  private stopTimer: (() => void) | undefined;
  private purging = Promise.resolve();
  private isStopped = false;

  constructor(private readonly deps: { store: Store; clock: Clock; onError: LogError }) {}

  /** Schedules a purge. Call it when sessions or memories are deleted. Returns at once. Further deletions share the purge and do not delay it. */
  schedule(): void {
    this.stopTimer ??= this.deps.clock.after(DELAY_MS, () => {
      this.stopTimer = undefined;
      this.purging = this.purging
        .then(() => this.purge())
        .catch(thrown => this.deps.onError('what deleted sessions and memories left cannot be removed', thrown));
    });
  }

  /** Schedules a purge that a crash or a failure interrupted. */
  async resume(): Promise<void> {
    if ((await this.deps.store.read.retention.pendingPurge()) !== undefined) this.schedule();
  }

  /** Cancels a scheduled purge and ends a running purge after its present step. The next process does the rest. */
  stop(): void {
    this.isStopped = true;
    this.stopTimer?.();
  }

  private async purge(): Promise<void> {
    if (this.isStopped) return;
    const { store } = this.deps;
    const mark = await store.read.retention.pendingPurge();
    const purgeIndex = (isFirst: boolean) => store.transaction({ leader: 'housekeeping' }, tx => tx.retention.purgeSearchIndex(isFirst));
    for (let isMore = await purgeIndex(true); isMore && !this.isStopped; ) isMore = await purgeIndex(false);
    if (this.isStopped || !(await store.emptyLog()) || mark === undefined) return;
    await store.transaction({ leader: 'housekeeping' }, tx => tx.retention.endPurge(mark));
  }
}
