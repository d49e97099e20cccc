/** Keeps the word indexes of the tenants that have more memories than fit into a prompt. They are built in the background, in short slices. */
import { LRUCache } from 'lru-cache';
import type { Store } from '../../port/store/store';
import { createYielder } from '../../utils/yield_to_event_loop';
import { MemoryWordIndex } from './memory_word_index';

/** Memories of all indexes together, each about 2 KB. */
const MAX_MEMORIES = 20_000;
const TEXTS_AT_ONCE = 50;
/** Unknown memories from which on an index is built anew. */
const MAX_NEW = 30;

export class MemoryWords {
  private readonly indexes = new LRUCache<string, MemoryWordIndex>({ maxSize: MAX_MEMORIES, sizeCalculation: index => index.size + 1 });
  /** Tenants whose index is being built. */
  private readonly building = new Set<string>();

  constructor(private readonly deps: { store: Store }) {}

  /** Returns the index of a tenant, which may lag behind; undefined when there is none. */
  findIndex(tenantId: string): MemoryWordIndex | undefined {
    return this.indexes.get(tenantId);
  }

  /** Adds what an index does not know of the newest memories. Resolves false when it lags far behind; it is dropped then. */
  async addNewest(tenantId: string, index: MemoryWordIndex, unknown: readonly { id: string }[]): Promise<boolean> {
    if (unknown.length >= MAX_NEW) this.dropIndex(tenantId);
    else
      for (const memory of await this.deps.store.read.readMemories(
        tenantId,
        unknown.map(({ id }) => id),
      ))
        index.add(memory);
    return unknown.length < MAX_NEW;
  }

  dropIndex(tenantId: string): void {
    this.indexes.delete(tenantId);
  }

  /** In the background. */
  buildIndex(tenantId: string): void {
    if (!this.building.has(tenantId) && !this.indexes.has(tenantId)) void this.build(tenantId);
  }

  /** Never rejects. */
  private async build(tenantId: string): Promise<void> {
    this.building.add(tenantId);
    try {
      const { read } = this.deps.store;
      const index = new MemoryWordIndex();
      const yieldWhenDue = createYielder();
      for (let after = '', isMore = true; isMore; ) {
        const texts = await read.listMemoryTexts(tenantId, {}, after, TEXTS_AT_ONCE);
        for (const memory of texts) {
          await yieldWhenDue();
          index.add(memory);
          after = memory.id;
        }
        isMore = texts.length === TEXTS_AT_ONCE;
        await yieldWhenDue();
      }
      this.indexes.set(tenantId, index);
    } catch {
      // The store is away. A turn reports that itself, and the next one builds the index.
    } finally {
      this.building.delete(tenantId);
    }
  }
}
