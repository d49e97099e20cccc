/** Creates something once per idempotency key: a request that repeats an earlier one gets the thing that the earlier one created. */

import { AppError } from '../errors';
import type { LockNames } from '../port/store/lock';
import type { StoreReader, StoreTransaction } from '../port/store/store';

/** The key of a request, and a hash of everything that it asks for: the operation, the ids in its path, and its body. */
export interface KeyedRequest {
  key: string;
  fingerprint: string;
}

/** The key of one request. Without a key, every request creates something new. */
export class OncePerKey {
  private made: string | undefined;

  constructor(readonly request?: KeyedRequest) {}

  /** The id of the thing that an earlier request with the key created. */
  get replayedId(): string | undefined {
    return this.made;
  }

  /** Returns the lock of the transaction that calls `makeOnce`. */
  lockOf(tenantId: string): Pick<LockNames, 'key'> {
    return this.request ? { key: { tenantId, key: this.request.key } } : {};
  }

  /**
   * Finds what an earlier request created, so that its checks are not repeated. Rejects `idempotency_mismatch` when that request asked for something
   * else.
   */
  async findEarlier(read: Pick<StoreReader, 'idempotencyKeys'>, tenantId: string): Promise<string | undefined> {
    if (!this.request) return undefined;
    const known = await read.idempotencyKeys.get(tenantId, this.request.key);
    if (known && known.fingerprint !== this.request.fingerprint) throw new AppError('idempotency_mismatch');
    this.made = known?.runId;
    return this.made;
  }

  /**
   * Calls `make`, unless an earlier request with the key created something; `replayedId` is its id then. Call this in the transaction in which `make`
   * inserts, so that of two simultaneous requests the second is the replay. `make` resolves with the id, or with undefined to leave the key free.
   * Rejects like `findEarlier`.
   */
  async makeOnce(
    tx: Pick<StoreTransaction, 'idempotencyKeys'>,
    { tenantId, now }: { tenantId: string; now: number },
    make: () => Promise<string | undefined>,
  ): Promise<void> {
    if ((await this.findEarlier(tx, tenantId)) !== undefined) return;
    const id = await make();
    if (this.request && id !== undefined) await tx.idempotencyKeys.put({ tenantId, ...this.request, runId: id, createdAt: now });
  }
}
