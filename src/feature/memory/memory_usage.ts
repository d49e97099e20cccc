/** Remembers which memories were recalled, and writes the times together: a recall commits nothing on the path of a turn. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { MemoryRecord } from './store/memory_records';

/** Milliseconds after a recall until the time of use is written. A crash before loses that time. */
const WRITE_DELAY_MS = 2_000;

export class MemoryUsage {
  /** tenant -> id of a memory -> time. */
  private pending = new Map<string, Map<string, number>>();

  constructor(private readonly deps: { store: Store; clock: Clock; onError: LogError }) {}

  markUsed(tenantId: string, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const { clock } = this.deps;
    if (this.pending.size === 0) clock.after(WRITE_DELAY_MS, () => void this.writePending());
    const times = this.pending.get(tenantId) ?? new Map<string, number>();
    this.pending.set(tenantId, times);
    for (const id of ids) times.set(id, clock.now());
  }

  /** Returns the memory with the time of a recall that is not yet written. */
  withPending(memory: MemoryRecord): MemoryRecord {
    const lastUsedAt = this.pending.get(memory.tenantId)?.get(memory.id);
    return lastUsedAt === undefined ? memory : { ...memory, lastUsedAt };
  }

  /** Writes the times now; never rejects. */
  async writePending(): Promise<void> {
    const { store, onError } = this.deps;
    const written = this.pending;
    this.pending = new Map();
    if (written.size === 0) return;
    try {
      await store.transaction({ leader: 'memory_use' }, async tx => {
        for (const [tenantId, times] of written) {
          for (const [at, entries] of Map.groupBy(times, ([, time]) => time)) {
            await tx.memories.markUsed(
              tenantId,
              entries.map(([id]) => id),
              at,
            );
          }
        }
      });
    } catch (thrown) {
      onError('the last use of memories cannot be stored', thrown);
    }
  }
}
