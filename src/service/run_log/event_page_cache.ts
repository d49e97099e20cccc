/**
 * Caches pages of stored events, so that a page is read and parsed once for all readers of a run. Doors cache encoded events by the event
 * object, and so share them too. Stored events never change, so a cached page is never stale.
 */
import { LRUCache } from 'lru-cache';
import type { RunEvent } from '../../port/run_event';
import type { ReadableStore } from '../../port/store/store';
import { estimateSize } from '../../utils/estimate_size';
import { memoByObject } from '../../utils/memo_by_object';
import type { ReaderScheduler } from './reader_scheduler';

type Page = readonly RunEvent[];

/** Limits of one read. A page has more bytes only when its first event alone has more. */
const PAGE = { limit: 250, maxBytes: 128 * 1024 };
const CACHE_BYTES = 32 * 1024 * 1024;
const CACHE_MS = 10_000;
/** Estimated memory of an event with its encoded forms, as a multiple of its size. */
const COPIES = 3;

/** Estimates the number of characters in the data of an event. */
export function sizeOfEvent(event: RunEvent): number {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return event.data.text.length;
  return walkedSize(event);
}

const walkedSize = memoByObject((event: RunEvent) => estimateSize(event.data));

export class EventPageCache {
  private readonly cached = new LRUCache<string, { page: Page }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ page }) => COPIES * page.reduce((sum, event) => sum + sizeOfEvent(event), 1),
    ttl: CACHE_MS,
    ttlAutopurge: true,
  });
  /** Pages that left the cache while a reader (a slow one, for example) still holds them. */
  private readonly held = new Map<string, WeakRef<Page>>();
  private readonly collected = new FinalizationRegistry<string>(key => {
    if (!this.held.get(key)?.deref()) this.held.delete(key);
  });
  private readonly reading = new Map<string, Promise<Page>>();

  constructor(
    private readonly store: ReadableStore<'events'>,
    readonly scheduler: ReaderScheduler,
  ) {}

  /** Resolves with the stored events after seq `after`, in order, up to one page. Each call waits for a turn of the event loop. */
  async read(tenantId: string, runId: string, after: number): Promise<Page> {
    await this.scheduler.nextTurn();
    const key = `${tenantId}/${runId}/${after}`;
    const cached = this.cached.get(key)?.page ?? this.held.get(key)?.deref();
    if (cached) return cached;
    // Join a read in progress, unless its page was empty: events may have been stored after that read began.
    const joined = this.reading.get(key);
    const page = joined && (await joined);
    if (page && page.length > 0) return page;
    const reading = this.store.read.events.list(tenantId, runId, after, PAGE);
    this.reading.set(key, reading);
    try {
      const own = await reading;
      if (own.length > 0) this.cachePage(key, own);
      return own;
    } finally {
      this.reading.delete(key);
    }
  }

  private cachePage(key: string, page: Page): void {
    this.cached.set(key, { page });
    this.held.set(key, new WeakRef(page));
    this.collected.register(page, key);
  }
}
