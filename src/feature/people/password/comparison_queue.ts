/** Compares few passwords at the same time, because each comparison takes 19 MiB of memory; the others wait for their turn. */
import { AppError } from '../../../errors';

const MAX_PARALLEL = 4;
const MAX_WAITING = 100;
/** One address must not fill the queue. */
const MAX_OF_ADDRESS = 10;

export class ComparisonQueue {
  private running = 0;
  private readonly waiting: { address: string; begin: () => void }[] = [];

  /** Rejects `rate_limited` when too many wait. */
  async run<T>(address: string, compare: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_PARALLEL) await this.wait(address);
    else this.running += 1;
    try {
      return await compare();
    } finally {
      // The place goes to the next one in the queue, so nobody comes in between.
      const next = this.waiting.shift();
      if (next) next.begin();
      else this.running -= 1;
    }
  }

  private wait(address: string): Promise<void> {
    const ofAddress = this.waiting.filter(each => each.address === address).length;
    if (this.waiting.length >= MAX_WAITING || ofAddress >= MAX_OF_ADDRESS) {
      throw new AppError('rate_limited', {
        message: 'The gateway compares many passwords now. Wait a second, then try again.',
        messageZh: '网关正在核对许多密码。请等一秒再试。',
        retryAfterMs: 1_000,
      });
    }
    return new Promise(begin => this.waiting.push({ address, begin }));
  }
}
