/** Limits the uploads and downloads under way: each holds an open file, and one tenant must leave room for others. */
import { AppError } from '../../errors';

const MAX_ALL = 64;
const MAX_OF_TENANT = 16;

export class TransferLimit {
  private readonly byTenant = new Map<string, number>();
  private total = 0;

  constructor(private readonly most = { all: MAX_ALL, ofTenant: MAX_OF_TENANT }) {}

  /** Does work that counts as a transfer. Rejects `rate_limited`, and as the work does. */
  async whileCounted<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const end = this.begin(tenantId);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Counts a transfer. Returns the function that ends the transfer; later calls of this function do nothing. Throws `rate_limited`. */
  begin(tenantId: string): () => void {
    const own = this.byTenant.get(tenantId) ?? 0;
    if (own >= this.most.ofTenant || this.total >= this.most.all) {
      throw new AppError('rate_limited', {
        message: 'Too many files are being sent or received.',
        messageZh: '正在传输的文件太多。',
        retryAfterMs: 1_000,
      });
    }
    this.byTenant.set(tenantId, own + 1);
    this.total += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.total -= 1;
      const left = (this.byTenant.get(tenantId) ?? 0) - 1;
      if (left > 0) this.byTenant.set(tenantId, left);
      else this.byTenant.delete(tenantId);
    };
  }
}
