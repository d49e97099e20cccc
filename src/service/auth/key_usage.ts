/** Remembers when keys were used, and writes the times together: no request waits for them. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store, StoreTransaction } from '../../port/store/store';
import { CONFIGURED_ID } from './known_key';

/** Milliseconds after a use until its time is written. A crash before loses it. */
const WRITE_DELAY_MS = 10_000;

export class KeyUsage {
  /** Id of a key -> time. */
  private pending = new Map<string, number>();

  constructor(private readonly deps: { store: Store; clock: Clock; onError: LogError }) {}

  markUsed(id: string): void {
    const { clock } = this.deps;
    if (this.pending.size === 0) clock.after(WRITE_DELAY_MS, () => void this.writePending());
    this.pending.set(id, clock.now());
  }

  /** Returns the time of a use that is not yet written. */
  pendingUse(id: string): number | undefined {
    return this.pending.get(id);
  }

  /** Writes the times now; never rejects. */
  async writePending(): Promise<void> {
    const { store, onError } = this.deps;
    const written = this.pending;
    this.pending = new Map();
    if (written.size === 0) return;
    const write = async (tx: StoreTransaction) => {
      for (const [id, at] of written) {
        if (id.startsWith(CONFIGURED_ID)) await tx.apiKeys.markConfiguredUsed(id, at);
        else await tx.apiKeys.markUsed(id, at);
      }
    };
    await store
      .transaction({ leader: 'key_use' }, write, { isPatient: true })
      .catch(thrown => onError('the last use of API keys cannot be stored', thrown));
  }
}
