/** Decides which wrong keys are written to the audit log: one row for an address in a minute, and few rows a minute for all addresses. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';

const WINDOW_MS = 60_000;
const MAX_ROWS = 30;
const MAX_ADDRESSES = 1_000;

export class FailedLogins {
  /** Address -> time of its last row. */
  private readonly written = new LRUCache<string, number>({ max: MAX_ADDRESSES });
  private windowEndsAt = 0;
  private rows = 0;
  private missed = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Returns undefined when a wrong key gets no row; otherwise the number of wrong keys since the last row. */
  take(address: string): number | undefined {
    const now = this.clock.now();
    if (now >= this.windowEndsAt) {
      this.windowEndsAt = now + WINDOW_MS;
      this.rows = 0;
    }
    const isKnown = now - (this.written.get(address) ?? -WINDOW_MS) < WINDOW_MS;
    if (isKnown || this.rows >= MAX_ROWS) {
      this.missed += 1;
      return undefined;
    }
    this.rows += 1;
    this.written.set(address, now);
    const { missed } = this;
    this.missed = 0;
    return missed;
  }
}
