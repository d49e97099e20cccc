/** A limiter of rate-limiter-flexible whose points are in the store. Loaded with the first limit. */
import type { RateLimiterRes, RateLimiterStoreAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';

// The main module of the library loads the clients of all databases.
const StoreAbstract: typeof RateLimiterStoreAbstract = require('rate-limiter-flexible/lib/RateLimiterStoreAbstract');
const MemoryLimiter: typeof import('rate-limiter-flexible').RateLimiterMemory = require('rate-limiter-flexible/lib/RateLimiterMemory');
const Result: typeof import('rate-limiter-flexible').RateLimiterRes = require('rate-limiter-flexible/lib/RateLimiterRes');

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

/** Holds the points of all keys of this process. */
class Leases {
  private readonly leases = new Map<string, Lease>();
  private readonly pending = new Map<string, Promise<Lease>>();

  constructor(private readonly deps: StoreLimiterDeps) {}

  /**
   * Uses one point. Resolves with the number of points that are used as far as this process knows; a number above `limit` means that none was left.
   */
  async use(id: string, limit: number): Promise<{ consumed: number; expiresAt: number }> {
    for (;;) {
      const lease = this.leases.get(id);
      const isOpen = lease !== undefined && lease.expiresAt > this.deps.clock.now();
      if (isOpen && lease.unused > 0) {
        lease.unused -= 1;
        return { consumed: Math.min(limit, lease.points - lease.unused), expiresAt: lease.expiresAt };
      }
      const taken = await this.takeMore(id, limit);
      if (taken.unused === 0 && taken.points >= limit) return { consumed: limit + 1, expiresAt: taken.expiresAt };
    }
  }

  async returnUnused(): Promise<void> {
    const open = [...this.leases].filter(([, { unused, expiresAt }]) => unused > 0 && expiresAt > this.deps.clock.now());
    this.leases.clear();
    if (open.length === 0) return;
    await this.deps.store.transaction(async tx => {
      for (const [id, { unused, expiresAt }] of open) await tx.rateCounters.giveBack(id, unused, expiresAt);
    });
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
    const { taken, points, expiresAt } = await store.transaction(tx =>
      tx.rateCounters.take({ id, wanted, limit, windowMs, now: clock.now() }),
    );
    const lease = { points, unused: taken, expiresAt };
    this.leases.set(id, lease);
    return lease;
  }
}

/** The limiter for one number of points. All limiters share the leases. */
class LeasedLimiter extends StoreAbstract {
  constructor(
    points: number,
    private readonly deps: StoreLimiterDeps & { leases: Leases },
  ) {
    const options = { points, duration: deps.windowMs / 1000, keyPrefix: '' };
    super({
      ...options,
      storeClient: deps.leases,
      // Refuses a key that is over its limit without asking the store again.
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new MemoryLimiter(options),
    });
  }

  /** The library calls this to take one point. */
  async _upsert(id: string): Promise<{ consumed: number; expiresAt: number }> {
    try {
      return await this.deps.leases.use(id, this.points);
    } catch (thrown) {
      this.deps.onError('requests are counted by this process alone: the store cannot be written', thrown);
      throw thrown;
    }
  }

  /** Called by the library with what `_upsert` resolved. */
  _getRateLimiterRes(_id: string, _changed: number, { consumed, expiresAt }: { consumed: number; expiresAt: number }): RateLimiterRes {
    return new Result(Math.max(0, this.points - consumed), Math.max(1, expiresAt - this.deps.clock.now()), consumed, false);
  }
}

export class StoreLimiter {
  private readonly leases: Leases;
  private readonly limiters = new Map<number, LeasedLimiter>();

  constructor(private readonly deps: StoreLimiterDeps) {
    this.leases = new Leases(deps);
  }

  /** Takes one of `limit` points of the window. Never rejects. */
  async take(id: string, limit: number): Promise<StoreLimiterResult> {
    const limiter = this.limiters.get(limit) ?? new LeasedLimiter(limit, { ...this.deps, leases: this.leases });
    this.limiters.set(limit, limiter);
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(id);
      return { isAllowed: true, remaining: remainingPoints, resetMs: msBeforeNext };
    } catch (thrown) {
      if (!(thrown instanceof Result)) throw thrown;
      return { isAllowed: false, remaining: 0, resetMs: thrown.msBeforeNext };
    }
  }

  returnUnused(): Promise<void> {
    return this.leases.returnUnused();
  }
}
