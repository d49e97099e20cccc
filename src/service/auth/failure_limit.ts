/** Slows down guessing: an address that has shown too many wrong keys or cookies is refused for a while. */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import { AddressCounts } from './address_counts';

/** The most wrong keys or cookies of one source in a minute. */
const MAX_FAILURES = 20;
/** The secrets that someone may guess. Each kind counts by itself: a page with an old cookie must not keep its person from logging in. */
export type Guessed = 'key' | 'cookie';

/**
 * The most right credentials that are remembered with their address. A remembered credential is never refused, so a stranger behind the same address
 * does not lock its owner out.
 */
const MAX_KNOWN = 10_000;

export class FailureLimit {
  private readonly failures: AddressCounts;
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(deps: { clock: Clock }) {
    this.failures = new AddressCounts(deps);
  }

  /** Throws `rate_limited` for an address that is refused, unless this credential was right from there before. */
  assertAllowed(address: string, credential: string, guessed: Guessed = 'key'): void {
    const { count, retryAfterMs } = this.failures.windowOf(address, guessed);
    if (count < MAX_FAILURES || this.known.has(keyOf(address, credential))) return;
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

  recordFailure(address: string, guessed: Guessed = 'key'): void {
    this.failures.add(address, guessed);
  }
}

const keyOf = (address: string, credential: string): string => `${address} ${credential}`;
