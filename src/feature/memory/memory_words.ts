/** Keeps the word indexes of the people and tenants that have more memories than fit into a prompt. They are built in the background, in short slices. */
import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../port/store/session_access';
import type { Store } from '../../port/store/store';
import { createYielder } from '../../utils/yield_to_event_loop';
import { MemoryWordIndex } from './memory_word_index';

/** Kilobytes of all indexes together, about. */
const MAX_SIZE = 40_000;
const SIZE_OF_MEMORY = 2;
const UNITS_PER_KILOBYTE = 500;
const TEXTS_AT_ONCE = 50;
/** Unknown memories from which on an index is built anew. */
const MAX_NEW = 30;

const sizeOf = (index: MemoryWordIndex): number => 1 + index.size * SIZE_OF_MEMORY + Math.ceil(index.unitsWith(0) / UNITS_PER_KILOBYTE);

export class MemoryWords {
  private readonly indexes = new LRUCache<string, MemoryWordIndex>({ maxSize: MAX_SIZE, sizeCalculation: sizeOf });
  /** Keys of the indexes that are being built. */
  private readonly building = new Set<string>();

  constructor(private readonly deps: { store: Store }) {}

  /**
   * Resolves with the index of a tenant, up to date with the store, of what the viewer sees; undefined without an index or when it lags far behind. For an unchanged index
   * this reads one row, for a changed one the times of all memories.
   */
  async currentIndex(tenantId: string, viewer: Viewer): Promise<MemoryWordIndex | undefined> {
    const key = keyOf(tenantId, viewer);
    const index = this.indexes.get(key);
    if (!index) return undefined;
    const { read } = this.deps.store;
    const changes = await read.memories.countChanges(tenantId);
    if (index.changes === changes) return index;
    const unknown = index.compareWith(await read.memories.listTimes(tenantId, viewer));
    if (unknown.length > MAX_NEW) {
      this.indexes.delete(key);
      return undefined;
    }
    for (const memory of await read.memories.readAll(tenantId, unknown)) index.add(memory);
    // Changes since the count are found by the next comparison.
    index.changes = changes;
    return index;
  }

  /** In the background. */
  buildIndex(tenantId: string, viewer: Viewer): void {
    const key = keyOf(tenantId, viewer);
    if (!this.building.has(key) && !this.indexes.has(key)) void this.build(key, tenantId, viewer);
  }

  /** Never rejects. */
  private async build(key: string, tenantId: string, viewer: Viewer): Promise<void> {
    this.building.add(key);
    try {
      const { read } = this.deps.store;
      const index = new MemoryWordIndex(await read.memories.countChanges(tenantId));
      const yieldWhenDue = createYielder();
      for (let after = '', isMore = true; isMore; ) {
        const texts = await read.memories.listTexts(tenantId, { viewer }, after, TEXTS_AT_ONCE);
        for (const memory of texts) {
          await yieldWhenDue();
          index.add(memory);
          after = memory.id;
        }
        isMore = texts.length === TEXTS_AT_ONCE;
        await yieldWhenDue();
      }
      this.indexes.set(key, index);
    } catch {
      // Ignored: the turn reports that the store is unavailable, and the next turn builds the index.
    } finally {
      this.building.delete(key);
    }
  }
}

/** Another viewer sees other memories. */
const keyOf = (tenantId: string, { handle, names }: Viewer): string => JSON.stringify([tenantId, handle, ...names]);
