/** Counts requests in a fixed window whose points are in the store. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

export interface StoreLimiterDeps {
  store: Store;
  clock: Clock;
  windowMs: number;
  onError: LogError;
}

export interface StoreLimiterResult {
  isAllowed: boolean;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Points that were taken from the store in advance, for one count. */
interface Lease {
  /** Points of the window that the store has given out, to other processes too. */
  points: number;
  unused: number;
  expiresAt: number;
}

/** Part of the limit that is taken in advance, and the most. */
const ADVANCE_SHARE = 0.05;
const MAX_ADVANCE = 100;

/** The requests that this process counts alone, while the store cannot be written. */
interface OwnWindow {
  count: number;
  expiresAt: number;
}

export class StoreLimiter {
  private readonly leases = new Map<string, Lease>();
  private readonly pending = new Map<string, Promise<Lease>>();
  private readonly ownWindows = new Map<string, OwnWindow>();

  constructor(private readonly deps: StoreLimiterDeps) {}

  /** Takes one of `limit` points of the window. Never rejects. */
  async take(id: string, limit: number): Promise<StoreLimiterResult> {
    try {
      return await this.takeLeased(id, limit);
    } catch (thrown) {
      this.deps.onError('requests are counted by this process alone: the store cannot be written', thrown);
      return this.takeOwn(id, limit);
    }
  }

  async returnUnused(): Promise<void> {
    const open = [...this.leases].filter(([, { unused, expiresAt }]) => unused > 0 && expiresAt > this.deps.clock.now());
    this.leases.clear();
    if (open.length === 0) return;
    // Sorted: gateways that stop at the same time lock the counters in one order.
    open.sort(([a], [b]) => (a < b ? -1 : 1));
    await this.deps.store.transaction('none', async tx => {
      for (const [id, { unused, expiresAt }] of open) await tx.rateCounters.giveBack(id, unused, expiresAt);
    });
  }

  private async takeLeased(id: string, limit: number): Promise<StoreLimiterResult> {
    for (;;) {
      const known = this.leases.get(id);
      const isOpen = known !== undefined && known.expiresAt > this.deps.clock.now();
      // A key over its limit is refused until the window ends, without asking the store again.
      const lease = isOpen && (known.unused > 0 || known.points >= limit) ? known : await this.takeMore(id, limit);
      if (lease.unused > 0) {
        lease.unused -= 1;
        return this.toResult(limit, Math.min(limit, lease.points - lease.unused), lease.expiresAt);
      }
      if (lease.points >= limit) return this.toResult(limit, limit + 1, lease.expiresAt);
    }
  }

  /** Requests that need points at the same time share one transaction. */
  private takeMore(id: string, limit: number): Promise<Lease> {
    const known = this.pending.get(id);
    if (known) return known;
    const taking = this.takeFromStore(id, limit).finally(() => this.pending.delete(id));
    this.pending.set(id, taking);
    return taking;
  }

  private async takeFromStore(id: string, limit: number): Promise<Lease> {
    const { store, clock, windowMs } = this.deps;
    const wanted = Math.min(MAX_ADVANCE, Math.max(1, Math.floor(limit * ADVANCE_SHARE)));
    const { taken, points, expiresAt } = await store.transaction('none', tx =>
      tx.rateCounters.take({ id, wanted, limit, windowMs, now: clock.now() }),
    );
    const lease = { points, unused: taken, expiresAt };
    this.leases.set(id, lease);
    return lease;
  }

  private takeOwn(id: string, limit: number): StoreLimiterResult {
    const now = this.deps.clock.now();
    const known = this.ownWindows.get(id);
    const window = known && known.expiresAt > now ? known : { count: 0, expiresAt: now + this.deps.windowMs };
    this.ownWindows.set(id, window);
    window.count += 1;
    return this.toResult(limit, window.count, window.expiresAt);
  }

  private toResult(limit: number, consumed: number, expiresAt: number): StoreLimiterResult {
    return {
      isAllowed: consumed <= limit,
      remaining: Math.max(0, limit - consumed),
      resetMs: Math.max(1, expiresAt - this.deps.clock.now()),
    };
  }
}
