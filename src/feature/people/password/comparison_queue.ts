/** Compares few passwords at the same time, because each comparison takes 19 MiB of memory; the others wait for their turn. */
import { AppError } from '../../../errors';

const MAX_PARALLEL = 4;
const MAX_WAITING = 100;
/** One source must not fill the queue. */
const MAX_OF_SOURCE = 10;

export class ComparisonQueue {
  private running = 0;
  private readonly waiting: { source: string; begin: () => void }[] = [];

  /** `source`: the address (of IPv6 the network) or the known device that shows the password. Rejects `rate_limited` when too many wait. */
  async run<T>(source: string, compare: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_PARALLEL) await this.wait(source);
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

  private wait(source: string): Promise<void> {
    const ofSource = this.waiting.filter(each => each.source === source).length;
    if (this.waiting.length >= MAX_WAITING || ofSource >= MAX_OF_SOURCE) {
      throw new AppError('rate_limited', {
        message: 'The gateway compares many passwords now. Wait a second, then try again.',
        messageZh: '网关正在核对许多密码。请等一秒再试。',
        retryAfterMs: 1_000,
      });
    }
    return new Promise(begin => this.waiting.push({ source, begin }));
  }
}
