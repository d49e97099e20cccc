/** Long work on the store in short transactions, between which others write. */
import type { Clock } from '../port/clock';
import type { Lock } from '../port/store/lock';
import type { Store, StoreTransaction } from '../port/store/store';

/** The time that one part should take under its lock, without the wait for the lock. */
const PART_MS = 20;
const LEAST = 10;
/** Others get at least this much time between two parts. */
const PAUSE_MS = 2;

/** Rows of a part: the first part has `first`, no part has more than `most`. */
export interface PartSizes {
  first: number;
  most: number;
}

/**
 * Calls `doPart` with the size of a part, each time in a transaction with the lock, until it resolves false: nothing is left. The size follows the time of
 * the last part, and a pause as long as that part follows each one.
 * @example
 * import type { Clock } from '../port/clock';
 * import type { Store } from '../port/store/store';
 * import { workInParts } from './in_parts';
 *
 * export const deleteOldKeys = (ports: { store: Store; clock: Clock }, before: number) =>
 *   workInParts(ports, { leader: 'housekeeping' }, { first: 500, most: 5_000 }, async (tx, size) => {
 *     return (await tx.idempotencyKeys.deleteBefore(before, size)) > 0;
 *   });
 */
export async function workInParts(
  { store, clock }: { store: Store; clock: Clock },
  lock: Lock,
  { first, most }: PartSizes,
  doPart: (tx: StoreTransaction, size: number) => Promise<boolean>,
): Promise<void> {
  for (let size = first; ; ) {
    let tookMs = 0;
    const isMore = await store.transaction(lock, async tx => {
      const started = clock.monotonic();
      const more = await doPart(tx, size);
      tookMs = clock.monotonic() - started;
      return more;
    });
    if (!isMore) return;
    size = nextSize(size, tookMs, most);
    await new Promise<void>(resolve => clock.after(Math.max(PAUSE_MS, tookMs), resolve));
  }
}

/** At most twice the size after a quick part, and at least a quarter after a slow one. */
function nextSize(size: number, tookMs: number, most: number): number {
  const factor = Math.min(2, Math.max(0.25, PART_MS / Math.max(tookMs, 1)));
  return Math.min(most, Math.max(LEAST, Math.round(size * factor)));
}
