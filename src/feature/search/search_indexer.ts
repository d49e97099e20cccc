/**
 * Keeps the search index up to date, in parts of a few milliseconds. Indexing begins when no run is executing and none has ended in the last two
 * seconds, at the latest 30 s after the end of the first run whose messages are not indexed. It goes on until all messages are indexed or an error
 * ends it; the next end of a run schedules it again. The start of the gateway, and a search that leaves messages over, count as the end of a run.
 * A search first indexes messages of its tenant, for a short time. An idle gateway has no timer. A turn writes only the ids of its messages
 * for the index, by a trigger.
 */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

/**
 * Milliseconds without an executing or ending run before indexing begins: indexing would take CPU time from runs, and one large part costs less than
 * many small ones.
 */
const QUIET_MS = 2_000;
/** Indexing begins this many milliseconds after the end of the first run that is not indexed, even while runs are executing. */
const MAX_DELAY_MS = 30_000;
/** Milliseconds between two parts, for other work. */
const PAUSE_MS = 10;

export interface SearchIndexerDeps {
  store: Store;
  clock: Clock;
  /** Tells whether a run is executing. Absent: none is. */
  isBusy: () => boolean;
  onError: LogError;
}

export class SearchIndexer {
  private stopTimer: (() => void) | undefined;
  private isStopped = false;
  /** Monotonic time of the last end of a run. */
  private lastEndAt = 0;
  private firstEndAt: number | undefined;

  constructor(private readonly deps: SearchIndexerDeps) {}

  /** Indexes new messages in the background. Call it after the start and when a run has ended. Returns at once. */
  scheduleIndexing(): void {
    if (this.isStopped) return;
    this.lastEndAt = this.deps.clock.monotonic();
    this.firstEndAt ??= this.lastEndAt;
    if (!this.stopTimer) this.schedule(QUIET_MS);
  }

  stop(): void {
    this.isStopped = true;
    this.stopTimer?.();
  }

  /**
   * Indexes one part of the messages of the tenant, more of them for at most `budgetMs`, and the rest in the background. Messages of other tenants do not delay this. A store that
   * cannot be written is no error: the search then lacks the newest messages.
   */
  async catchUp(tenantId: string, budgetMs: number): Promise<void> {
    const { store, clock } = this.deps;
    const end = clock.monotonic() + budgetMs;
    if (this.isStopped) return;
    let isMore = await store.read.searchIndex.hasUnindexed(tenantId);
    try {
      // One part at least: on a busy machine the first look alone can take the time.
      for (let parts = 0; isMore && (parts === 0 || clock.monotonic() < end); parts++) isMore = await this.indexPartOf(tenantId);
    } catch {
      return;
    }
    if (isMore) this.scheduleIndexing();
  }

  private schedule(delayMs: number): void {
    this.stopTimer = this.deps.clock.after(delayMs, () => {
      const waitMs = this.timeToWait();
      if (waitMs > 0) this.schedule(waitMs);
      else void this.indexInBackground();
    });
  }

  /** Returns the milliseconds until indexing may begin; 0 or less: now. */
  private timeToWait(): number {
    const now = this.deps.clock.monotonic();
    const lastWork = this.deps.isBusy() ? now : this.lastEndAt;
    return Math.min(lastWork + QUIET_MS, (this.firstEndAt ?? now) + MAX_DELAY_MS) - now;
  }

  /** Indexes one part and schedules the next one. Never rejects. */
  private async indexInBackground(): Promise<void> {
    const begin = this.deps.clock.monotonic();
    let isMore = false;
    try {
      isMore = (await this.deps.store.read.searchIndex.hasMore()) && (await this.indexPart());
    } catch (thrown) {
      if (!this.isStopped) this.deps.onError('indexing messages for the search failed', thrown);
    }
    this.stopTimer = undefined;
    if (this.isStopped) return;
    if (isMore) this.stopTimer = this.deps.clock.after(PAUSE_MS, () => void this.indexInBackground());
    else this.endRound(begin);
  }

  /** Ends a round: every message that was stored before `begin` is indexed; later messages wait for the next round. */
  private endRound(begin: number): void {
    const hasNew = this.lastEndAt >= begin;
    this.firstEndAt = hasNew ? this.lastEndAt : undefined;
    if (hasNew) this.schedule(QUIET_MS);
  }

  private indexPartOf(tenantId: string): Promise<boolean> {
    return this.deps.store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNextOf(tenantId));
  }

  private indexPart(): Promise<boolean> {
    return this.deps.store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext());
  }
}
