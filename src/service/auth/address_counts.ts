/**
 * Counts what comes from an address in a minute, or in another time. The addresses of an IPv6 network (/64), which one client can have all for itself, count together.
 * Counts in the memory of this process.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';

const MINUTE_MS = 60_000;
/** The most sources that are counted. */
const MAX_SOURCES = 10_000;

export class AddressCounts {
  /** Source -> its count in a window that began with the first of them. `endsAt`: milliseconds since 1970. */
  private readonly counts = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_SOURCES });

  constructor(
    private readonly deps: { clock: Clock },
    private readonly windowMs = MINUTE_MS,
  ) {}

  /** Adds one of this kind. Each kind counts by itself. */
  add(address: string, kind: string): void {
    const { count, retryAfterMs } = this.windowOf(address, kind);
    this.counts.set(sourceOf(address, kind), { count: count + 1, endsAt: this.deps.clock.now() + retryAfterMs });
  }

  /** Returns the count of the window, and the milliseconds until the window ends. */
  windowOf(address: string, kind: string): { count: number; retryAfterMs: number } {
    const { count, endsAt } = this.counts.get(sourceOf(address, kind)) ?? { count: 0, endsAt: 0 };
    const retryAfterMs = endsAt - this.deps.clock.now();
    return retryAfterMs > 0 ? { count, retryAfterMs } : { count: 0, retryAfterMs: this.windowMs };
  }
}

const sourceOf = (address: string, kind: string): string => `${kind} ${networkOf(address)}`;

/** Returns the /64 network of an IPv6 address, and any other address as it is. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(group => group !== ''));
  // An IPv4 address at the end has the place of two groups.
  const given = head.length + tail.length + (address.includes('.') ? 1 : 0);
  const groups = [...head, ...Array<string>(Math.max(0, 8 - given)).fill('0'), ...tail].slice(0, 4);
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
