/**
 * Stored events in pages that readers share. Many readers of one run ask for the same pages at about the same time: each page is read and
 * parsed once, and what a door makes of its events is kept with them. Stored events never change, so a kept page is never stale.
 */
import { LRUCache } from 'lru-cache';
import type { RunEvent } from '../../port/run_event';
import type { EventReader } from '../../port/store/events';
import type { ReadableStore } from '../../port/store/store';
import { estimateSize } from '../../utils/estimate_size';
import { memoByObject } from '../../utils/memo_by_object';
import type { ReaderScheduler } from './reader_scheduler';

type Page = readonly RunEvent[];

/** Read from the store at once. A page is larger when its first row is. */
const PAGE = { limit: 250, maxBytes: 128 * 1024 };
/** Kept after the last reader took it: memory in bytes, and milliseconds. */
const KEPT_BYTES = 32 * 1024 * 1024;
const KEPT_MS = 10_000;
/** An event and its encoded forms take about so many times its size. */
const COPIES = 3;

/** Characters in the data of an event, about. */
export function sizeOfEvent(event: RunEvent): number {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return event.data.text.length;
  return walkedSize(event);
}

const walkedSize = memoByObject((event: RunEvent) => estimateSize(event.data));

export class EventPageCache {
  private readonly kept = new LRUCache<string, { page: Page }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ page }) => COPIES * page.reduce((sum, event) => sum + sizeOfEvent(event), 1),
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });
  /** Pages that some reader still holds, a slow one for instance. */
  private readonly held = new Map<string, WeakRef<Page>>();
  private readonly forgotten = new FinalizationRegistry<string>(key => {
    if (!this.held.get(key)?.deref()) this.held.delete(key);
  });
  private readonly reading = new Map<string, Promise<Page>>();

  constructor(
    private readonly store: ReadableStore<EventReader>,
    readonly scheduler: ReaderScheduler,
  ) {}

  /** The next stored events after `after`, in order; none when there are none. Waits for a turn of the event loop. */
  async read(tenantId: string, runId: string, after: number): Promise<Page> {
    await this.scheduler.nextTurn();
    const key = `${tenantId}/${runId}/${after}`;
    const known = this.kept.get(key)?.page ?? this.held.get(key)?.deref();
    if (known) return known;
    // An empty page of a read that began earlier may miss what was stored since.
    const joined = this.reading.get(key);
    const page = joined && (await joined);
    if (page && page.length > 0) return page;
    const reading = this.store.read.listEvents(tenantId, runId, after, PAGE);
    this.reading.set(key, reading);
    try {
      const own = await reading;
      if (own.length > 0) this.keep(key, own);
      return own;
    } finally {
      this.reading.delete(key);
    }
  }

  private keep(key: string, page: Page): void {
    this.kept.set(key, { page });
    this.held.set(key, new WeakRef(page));
    this.forgotten.register(page, key);
  }
}
