/** Retries work on the store while the store is unavailable, so that active runs continue once it is back. */
import { AppError } from '../errors';
import type { Clock } from '../port/clock';

const RETRY_MS = 250;

/** Retries every 250 ms without an upper limit. Rejects with any other failure, and with whatever `giveUp` throws before a retry. */
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
