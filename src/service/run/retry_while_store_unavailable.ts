/** Waiting for a store that cannot be reached or written for a while: what is under way goes on when it heals. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';

const RETRY_MS = 250;

/** Tries again while the store is unavailable. Rejects with any other failure, and with what `giveUp` throws before each new try. */
export async function retryWhileStoreUnavailable<T>(clock: Clock, work: () => Promise<T>, giveUp: () => void = () => {}): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'store_unavailable') throw thrown;
      await new Promise<void>(resolve => clock.after(RETRY_MS, resolve));
      giveUp();
    }
  }
}
