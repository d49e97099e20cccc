/**
 * Slows down guessing: an address that has shown too many wrong keys or cookies is refused for a while. The addresses of an IPv6 network (/64), which one
 * client can have all for itself, count together. Counts in the memory of this process.
 */
import { LRUCache } from 'lru-cache';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';

/** The most wrong keys or cookies of one source in a minute. */
const MAX_FAILURES = 20;
const WINDOW_S = 60;
/** The secrets that someone may guess. Each kind counts by itself: a page with an old cookie must not keep its person from logging in. */
export type Guessed = 'key' | 'cookie';

/** Keys that were right from an address, so that a stranger behind the same address does not lock them out. */
const MAX_KNOWN = 10_000;

export class FailureLimit {
  private limiter: RateLimiterMemory | undefined;
  /** Source -> time (milliseconds) until which it is refused. */
  private readonly refused = new LRUCache<string, number>({ max: MAX_KNOWN });
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(private readonly deps: { clock: Clock }) {}

  /** Throws `rate_limited` for an address that is refused, unless this credential was right from there before. */
  assertAllowed(address: string, credential: string, guessed: Guessed = 'key'): void {
    const retryAfterMs = (this.refused.get(sourceOf(address, guessed)) ?? 0) - this.deps.clock.now();
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

  async recordFailure(address: string, guessed: Guessed = 'key'): Promise<void> {
    const source = sourceOf(address, guessed);
    const { consumedPoints, msBeforeNext } = await this.load().penalty(source);
    if (consumedPoints >= MAX_FAILURES) this.refused.set(source, this.deps.clock.now() + msBeforeNext);
  }

  /** Loads the library with the first failure. */
  private load(): RateLimiterMemory {
    if (this.limiter) return this.limiter;
    const { RateLimiterMemory }: typeof import('rate-limiter-flexible') = require('rate-limiter-flexible');
    this.limiter = new RateLimiterMemory({ points: MAX_FAILURES, duration: WINDOW_S });
    return this.limiter;
  }
}

const sourceOf = (address: string, guessed: Guessed): string => `${guessed} ${networkOf(address)}`;

const keyOf = (address: string, credential: string): string => `${address} ${credential}`;

/** Returns the /64 network of an IPv6 address, and any other address as it is. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(group => group !== ''));
  // An IPv4 address at the end has the place of two groups.
  const given = head.length + tail.length + (address.includes('.') ? 1 : 0);
  const groups = [...head, ...Array<string>(Math.max(0, 8 - given)).fill('0'), ...tail].slice(0, 4);
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
