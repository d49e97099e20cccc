/** Limits the number of readers, in total and for each session. A door checks the limit before it accepts a request of a new reader. */
import { AppError } from '../../errors';

const MAX_PER_SESSION = 64;
const RETRY_AFTER_MS = 5_000;

export class ReaderLimits {
  private readonly bySession = new Map<string, number>();
  private total = 0;

  constructor(private readonly maxReaders: number) {}

  /** Throws `rate_limited` when the total or the session is at its limit. */
  assertRoom(sessionId?: string): void {
    if (this.total >= this.maxReaders) {
      throw new AppError('rate_limited', {
        message: `At most ${this.maxReaders} readers may follow runs at once. Wait until one leaves, or raise NETA_MAX_READERS.`,
        messageZh: `最多可以有 ${this.maxReaders} 个读者同时跟随运行。请等其中一个离开，或调高 NETA_MAX_READERS。`,
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    if (sessionId !== undefined && (this.bySession.get(sessionId) ?? 0) >= MAX_PER_SESSION) {
      throw new AppError('rate_limited', {
        message: `At most ${MAX_PER_SESSION} readers may follow a session. Wait until one leaves.`,
        messageZh: `一个会话最多可以有 ${MAX_PER_SESSION} 个读者同时跟随。请等其中一个离开。`,
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
  }

  countReaders(sessionId: string): number {
    return this.bySession.get(sessionId) ?? 0;
  }

  /** Counts a reader. Returns the function that removes it; call it once. */
  addReader(sessionId: string): () => void {
    this.total += 1;
    this.bySession.set(sessionId, (this.bySession.get(sessionId) ?? 0) + 1);
    return () => {
      this.total -= 1;
      const left = (this.bySession.get(sessionId) ?? 0) - 1;
      if (left > 0) this.bySession.set(sessionId, left);
      else this.bySession.delete(sessionId);
    };
  }
}
