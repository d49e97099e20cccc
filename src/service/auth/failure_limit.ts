/**
 * Slows down guessing: an address that has shown too many wrong keys or cookies is refused for a while. The addresses of an IPv6 network (/64), which one
 * client can have all for itself, count together. Counts in the memory of this process.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';

/** The most wrong keys or cookies of one source in a minute. */
const MAX_FAILURES = 20;
const WINDOW_MS = 60_000;
/** The secrets that someone may guess. Each kind counts by itself: a page with an old cookie must not keep its person from logging in. */
export type Guessed = 'key' | 'cookie';

/**
 * The most sources whose failures are counted, and the most right credentials that are remembered with their address. A remembered credential is
 * never refused, so a stranger behind the same address does not lock its owner out.
 */
const MAX_KNOWN = 10_000;

export class FailureLimit {
  /** Source -> its failures in a window that began with the first of them. `endsAt`: milliseconds since 1970. */
  private readonly failures = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_KNOWN });
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(private readonly deps: { clock: Clock }) {}

  /** Throws `rate_limited` for an address that is refused, unless this credential was right from there before. */
  assertAllowed(address: string, credential: string, guessed: Guessed = 'key'): void {
    const { count, retryAfterMs } = this.windowOf(sourceOf(address, guessed));
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
    const source = sourceOf(address, guessed);
    const { count, retryAfterMs } = this.windowOf(source);
    this.failures.set(source, { count: count + 1, endsAt: this.deps.clock.now() + retryAfterMs });
  }

  private windowOf(source: string): { count: number; retryAfterMs: number } {
    const { count, endsAt } = this.failures.get(source) ?? { count: 0, endsAt: 0 };
    const retryAfterMs = endsAt - this.deps.clock.now();
    return retryAfterMs > 0 ? { count, retryAfterMs } : { count: 0, retryAfterMs: WINDOW_MS };
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
