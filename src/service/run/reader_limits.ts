/** Counts the readers that follow runs, in all and in each session. A door asks for a place before it accepts anything for a new reader. */
import { AppError } from '../../errors';

/** Pages, tabs and programs that follow one session. */
const MAX_PER_SESSION = 64;
const RETRY_AFTER_MS = 5_000;

export class ReaderLimits {
  private readonly bySession = new Map<string, number>();
  private all = 0;

  constructor(private readonly maxReaders: number) {}

  /** Throws `rate_limited` when one more reader would be too many. */
  assertRoom(sessionId?: string): void {
    if (this.all >= this.maxReaders) {
      throw new AppError('rate_limited', {
        message: `At most ${this.maxReaders} readers may follow runs at once.`,
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    if (sessionId !== undefined && (this.bySession.get(sessionId) ?? 0) >= MAX_PER_SESSION) {
      throw new AppError('rate_limited', {
        message: `At most ${MAX_PER_SESSION} readers may follow a session.`,
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
  }

  /** Counts a reader until the returned function is called. */
  addReader(sessionId: string): () => void {
    this.all += 1;
    this.bySession.set(sessionId, (this.bySession.get(sessionId) ?? 0) + 1);
    return () => {
      this.all -= 1;
      const left = (this.bySession.get(sessionId) ?? 0) - 1;
      if (left > 0) this.bySession.set(sessionId, left);
      else this.bySession.delete(sessionId);
    };
  }
}
