/**
 * Polls the store for the progress of runs that a caller here waits for and that another process on the same store may execute. The event bus
 * of this process does not publish their events. One poll covers all watched runs.
 */
import type { Clock } from '../../port/clock';
import type { RunState } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';

type Progress = Pick<RunState, 'id' | 'status' | 'lastSeq'>;

interface Watch {
  /** Called with new progress. `undefined`: the run was deleted; further calls may follow. */
  onProgress: (progress: Progress | undefined) => void;
  lastSeq: number;
}

const POLL_MS = 750;

export interface RemoteRunPollerDeps {
  store: ReadableStore<'runs'>;
  clock: Clock;
  /** Runs that execute here are not polled: the event bus publishes their events. */
  isExecutedHere: (runId: string) => boolean;
}

export class RemoteRunPoller {
  /** Tenant id -> run id -> the watches of the run. */
  private readonly watches = new Map<string, Map<string, Set<Watch>>>();
  private isScheduled = false;

  constructor(private readonly deps: RemoteRunPollerDeps) {}

  /**
   * Calls `onProgress` whenever the store has more events of the run than before, and with undefined when the run was deleted. Returns the function
   * that ends the watch.
   */
  watch({ tenantId, id, lastSeq }: Pick<RunState, 'tenantId' | 'id' | 'lastSeq'>, onProgress: Watch['onProgress']): () => void {
    const tenantWatches = getOrMake(this.watches, tenantId, () => new Map<string, Set<Watch>>());
    const runWatches = getOrMake(tenantWatches, id, () => new Set<Watch>());
    const watch = { onProgress, lastSeq };
    runWatches.add(watch);
    this.schedule();
    return () => {
      runWatches.delete(watch);
      if (runWatches.size === 0 && tenantWatches.get(id) === runWatches) tenantWatches.delete(id);
      if (tenantWatches.size === 0 && this.watches.get(tenantId) === tenantWatches) this.watches.delete(tenantId);
    };
  }

  isExecutedHere(runId: string): boolean {
    return this.deps.isExecutedHere(runId);
  }

  private schedule(): void {
    if (this.isScheduled || this.watches.size === 0) return;
    this.isScheduled = true;
    this.deps.clock.after(POLL_MS, () => void this.poll());
  }

  /** Never rejects: when the store is unavailable, the next poll tries again. */
  private async poll(): Promise<void> {
    try {
      for (const [tenantId, runs] of [...this.watches]) {
        const ids = [...runs.keys()].filter(id => !this.deps.isExecutedHere(id));
        const found = await this.deps.store.read.runs.progress(tenantId, ids);
        for (const progress of found) this.notify(tenantId, progress);
        const deleted = ids.filter(id => !found.some(progress => progress.id === id));
        for (const id of deleted) for (const watch of [...(runs.get(id) ?? [])]) watch.onProgress(undefined);
      }
    } catch {
      // Ignored: callers that need the store get the error from their own query.
    }
    this.isScheduled = false;
    this.schedule();
  }

  private notify(tenantId: string, progress: Progress): void {
    for (const watch of [...(this.watches.get(tenantId)?.get(progress.id) ?? [])]) {
      if (progress.lastSeq <= watch.lastSeq) continue;
      watch.lastSeq = progress.lastSeq;
      watch.onProgress(progress);
    }
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}
