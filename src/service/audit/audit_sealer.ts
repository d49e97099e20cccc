/**
 * Seals the rows of the audit log: adds them to the chain of hashes, in parts, about a second after the act that wrote them. The transaction of an act
 * may still be open when its row is reported here, so each round is followed by a second one. A process that ends before that leaves its rows to the
 * next reader of the log, the hourly clean-up or the next start, whichever comes first, at any gateway.
 */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

export interface AuditSealerDeps {
  store: Store;
  clock: Clock;
  onError: LogError;
}

/** Milliseconds from an act to the sealing of its row; further acts share the work. */
const DELAY_MS = 1_000;
/** Milliseconds to the second round: longer than any transaction lasts. */
const AGAIN_MS = 30_000;
/** Rows of one transaction: about 2 ms of hashing and inserts. */
const ROWS_AT_ONCE = 100;
/** Milliseconds that a reader waits for the sealing at most: another gateway may hold the lock of the leader and be stopped. */
const READER_WAIT_MS = 1_000;

export class AuditSealer {
  private stopTimer: (() => void) | undefined;
  /** True while the timer is that of a second round. */
  private isSecondNext = false;
  private isStopped = false;
  private sealing: Promise<void> | undefined;

  constructor(private readonly deps: AuditSealerDeps) {}

  /** Seals soon, in the background. Call it when a row is written, before or after its transaction is committed. Returns at once. */
  schedule(): void {
    if (!this.stopTimer || this.isSecondNext) this.scheduleRound(DELAY_MS);
  }

  /** Seals all rows that wait. Callers at the same time share the work. Rejects when the store cannot be written. */
  seal(): Promise<void> {
    this.sealing ??= this.sealParts().finally(() => {
      this.sealing = undefined;
    });
    return this.sealing;
  }

  /**
   * Seals for a reader, who then finds every act that was committed before. Never rejects and waits a second at most: without it the reader gets the
   * rows that are sealed.
   */
  async sealForReader(): Promise<void> {
    const { promise: limit, resolve } = Promise.withResolvers<void>();
    const stopTimer = this.deps.clock.after(READER_WAIT_MS, resolve);
    await Promise.race([this.sealAgain().catch(() => {}), limit]);
    stopTimer();
  }

  /** Cancels the timer and seals what waits. Never rejects: the next start seals the rest. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.stopTimer?.();
    await this.sealForReader();
  }

  /** Work that is in progress may have read the queue before the last act was committed, so the queue is read once more. */
  private async sealAgain(): Promise<void> {
    await this.sealing?.catch(() => {});
    await this.seal();
  }

  private async sealParts(): Promise<void> {
    const { store } = this.deps;
    if ((await store.read.audit.countUnsealed()) === 0) return;
    while ((await store.transaction({ leader: 'audit' }, tx => tx.audit.seal(ROWS_AT_ONCE))) === ROWS_AT_ONCE);
  }

  private scheduleRound(delayMs: number): void {
    if (this.isStopped) return;
    this.stopTimer?.();
    this.isSecondNext = delayMs === AGAIN_MS;
    this.stopTimer = this.deps.clock.after(delayMs, () => {
      this.stopTimer = undefined;
      void this.runRound(this.isSecondNext);
    });
  }

  /** A failed round is repeated. Never rejects. */
  private async runRound(isSecond: boolean): Promise<void> {
    let isSealed = true;
    try {
      await this.seal();
    } catch (thrown) {
      isSealed = false;
      if (!this.isStopped) this.deps.onError('rows of the audit log could not be sealed', thrown);
    }
    if (!this.stopTimer && !(isSecond && isSealed)) this.scheduleRound(AGAIN_MS);
  }
}
