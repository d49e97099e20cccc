/** Slows down guessing: an address that has shown too many wrong keys is refused for a while. Counts in the memory of this process. */
import { LRUCache } from 'lru-cache';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';

/** Wrong keys of one address in a minute. */
const MAX_FAILURES = 20;
const WINDOW_S = 60;
/** Keys that were right from an address, so that a stranger behind the same address does not lock them out. */
const MAX_KNOWN = 10_000;

export class FailureLimit {
  private limiter: RateLimiterMemory | undefined;
  /** Address -> milliseconds until which it is refused. */
  private readonly refused = new LRUCache<string, number>({ max: MAX_KNOWN });
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(private readonly deps: { clock: Clock }) {}

  /** Throws `rate_limited` for an address that is refused, unless this credential was right from there before. */
  assertAllowed(address: string, credential: string): void {
    const retryAfterMs = (this.refused.get(address) ?? 0) - this.deps.clock.now();
    if (retryAfterMs <= 0 || this.known.has(keyOf(address, credential))) return;
    throw new AppError('rate_limited', {
      message: 'Too many wrong keys came from this address. Wait, then send the right one.',
      messageZh: '这个地址发送了太多错误的密钥。请稍候，再发送正确的密钥。',
      retryAfterMs,
    });
  }

  recordSuccess(address: string, credential: string): void {
    const key = keyOf(address, credential);
    if (!this.known.has(key)) this.known.set(key, true);
  }

  async recordFailure(address: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.load().penalty(address);
    if (consumedPoints >= MAX_FAILURES) this.refused.set(address, this.deps.clock.now() + msBeforeNext);
  }

  /** Loads the library with the first failure. */
  private load(): RateLimiterMemory {
    if (this.limiter) return this.limiter;
    const { RateLimiterMemory }: typeof import('rate-limiter-flexible') = require('rate-limiter-flexible');
    this.limiter = new RateLimiterMemory({ points: MAX_FAILURES, duration: WINDOW_S });
    return this.limiter;
  }
}

const keyOf = (address: string, credential: string): string => `${address} ${credential}`;
