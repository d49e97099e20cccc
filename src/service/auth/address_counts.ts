/**
 * Counts what comes from an address in a minute. The addresses of an IPv6 network (/64), which one client can have all for itself, count together.
 * Counts in the memory of this process.
 */
import type { Clock } from '../../port/clock';
import { WindowCounts } from './window_counts';

const MINUTE_MS = 60_000;
/** The most sources that are counted. */
const MAX_SOURCES = 10_000;

export class AddressCounts {
  private readonly counts: WindowCounts;

  constructor({ clock }: { clock: Clock }) {
    this.counts = new WindowCounts({ clock, windowMs: MINUTE_MS, maxKeys: MAX_SOURCES });
  }

  /** Adds one of this kind. Each kind counts by itself. */
  add(address: string, kind: string): void {
    this.counts.add(sourceOf(address, kind));
  }

  /** Returns the count of the window, and the milliseconds until the window ends. */
  windowOf(address: string, kind: string): { count: number; retryAfterMs: number } {
    return this.counts.windowOf(sourceOf(address, kind));
  }
}

const sourceOf = (address: string, kind: string): string => `${kind} ${networkOf(address)}`;

/** Returns the network of an IPv6 address, and any other address as it is. `bits`: the length of the prefix; a customer of a provider has up to a /48. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(group => group !== ''));
  // An IPv4 address at the end has the place of two groups.
  const given = head.length + tail.length + (address.includes('.') ? 1 : 0);
  const groups = [...head, ...Array<string>(Math.max(0, 8 - given)).fill('0'), ...tail].slice(0, bits / 16);
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/${bits}`;
}
