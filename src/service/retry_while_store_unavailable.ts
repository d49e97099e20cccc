/** Retries work on the store while the store is unavailable, so that active runs continue once it is back. */
import { AppError } from '../errors';
import type { Clock } from '../port/clock';

const RETRY_MS = 250;

/** Retries every 250 ms without an upper limit. Rejects with any other failure, and with whatever `giveUp` throws before a retry. */
export function retryWhileStoreUnavailable<T>(clock: Clock, work: () => Promise<T>, giveUp: () => void = () => {}): Promise<T> {
  return work().catch(async (first: unknown) => {
    for (let thrown = first; ; ) {
      if (!(thrown instanceof AppError) || thrown.code !== 'store_unavailable') throw thrown;
      await new Promise<void>(resolve => clock.after(RETRY_MS, resolve));
      giveUp();
      try {
        return await work();
      } catch (next) {
        thrown = next;
      }
    }
  });
}
