/**
 * Keeps the search index up to date, in parts of a few milliseconds: some time after messages were stored, after the start, and before a search. An
 * idle gateway has no timer. A turn writes nothing for the index.
 */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

/** Milliseconds after the first new message: several turns share the work. */
const DELAY_MS = 2_000;
/** Milliseconds between two parts, for other work. */
const PAUSE_MS = 10;

export interface SearchIndexerDeps {
  store: Store;
  clock: Clock;
  onError: LogError;
}

export class SearchIndexer {
  private stopTimer: (() => void) | undefined;
  private isStopped = false;

  constructor(private readonly deps: SearchIndexerDeps) {}

  /** Indexes in the background what is not indexed yet. Call it after the start and when messages were stored. Returns at once. */
  scheduleIndexing(): void {
    if (!this.isStopped && !this.stopTimer) this.schedule(DELAY_MS);
  }

  stop(): void {
    this.isStopped = true;
    this.stopTimer?.();
  }

  /**
   * Indexes for `budgetMs` at most, and in the background what is left then. A store that cannot be written is no error: the search then lacks the
   * newest messages.
   */
  async catchUp(budgetMs: number): Promise<void> {
    const { store, clock } = this.deps;
    const end = clock.monotonic() + budgetMs;
    if (this.isStopped || !(await store.read.hasUnindexedMessages())) return;
    try {
      while (clock.monotonic() < end) if (!(await this.indexPart())) return;
    } catch {
      return;
    }
    this.scheduleIndexing();
  }

  private schedule(delayMs: number): void {
    this.stopTimer = this.deps.clock.after(delayMs, () => void this.indexInBackground());
  }

  /** Never rejects. */
  private async indexInBackground(): Promise<void> {
    let isMore = false;
    try {
      isMore = (await this.deps.store.read.hasUnindexedMessages()) && (await this.indexPart());
    } catch (thrown) {
      if (!this.isStopped) this.deps.onError('indexing messages for the search failed', thrown);
    }
    this.stopTimer = undefined;
    if (isMore && !this.isStopped) this.schedule(PAUSE_MS);
  }

  private indexPart(): Promise<boolean> {
    return this.deps.store.transaction(tx => tx.indexMessages());
  }
}
