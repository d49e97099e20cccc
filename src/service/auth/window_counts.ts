/** Counts things by a key in a window of time that begins with the first of them. Counts in the memory of this process. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';

export interface WindowCountsDeps {
  clock: Clock;
  windowMs: number;
  /** The most keys that are counted; the key that was used longest ago is forgotten. */
  maxKeys: number;
}

export class WindowCounts {
  /** `endsAt`: milliseconds since 1970. */
  private readonly counts: LRUCache<string, { count: number; endsAt: number }>;

  constructor(private readonly deps: WindowCountsDeps) {
    this.counts = new LRUCache({ max: deps.maxKeys });
  }

  add(key: string): void {
    const { count, retryAfterMs } = this.windowOf(key);
    this.counts.set(key, { count: count + 1, endsAt: this.deps.clock.now() + retryAfterMs });
  }

  /** Returns the count of the window, and the milliseconds until the window ends. */
  windowOf(key: string): { count: number; retryAfterMs: number } {
    const { clock, windowMs } = this.deps;
    const { count, endsAt } = this.counts.get(key) ?? { count: 0, endsAt: 0 };
    const retryAfterMs = endsAt - clock.now();
    return retryAfterMs > 0 ? { count, retryAfterMs } : { count: 0, retryAfterMs: windowMs };
  }
}
