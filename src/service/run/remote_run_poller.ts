/**
 * Watches runs that another process of the same store may execute and that a caller here waits for. Their events are not published here, so the
 * store is polled: at an interval, for all of them together.
 */
import type { Clock } from '../../port/clock';
import type { RunReader, RunState } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';

type Progress = Pick<RunState, 'id' | 'status' | 'lastSeq'>;

interface Watch {
  onProgress: (progress: Progress) => void;
  lastSeq: number;
}

const LOOK_MS = 750;

export interface RemoteRunPollerDeps {
  store: ReadableStore<RunReader>;
  clock: Clock;
  /** Runs that execute here are not polled: the event bus publishes their events. */
  isExecutedHere: (runId: string) => boolean;
}

export class RemoteRunPoller {
  /** Keyed by tenant, then by run. */
  private readonly watches = new Map<string, Map<string, Set<Watch>>>();
  private isScheduled = false;

  constructor(private readonly deps: RemoteRunPollerDeps) {}

  /** Calls back whenever the run has more events in the store than at the call before; until the returned function is called. */
  watch({ tenantId, id, lastSeq }: Pick<RunState, 'tenantId' | 'id' | 'lastSeq'>, onProgress: Watch['onProgress']): () => void {
    const ofTenant = getOrMake(this.watches, tenantId, () => new Map<string, Set<Watch>>());
    const ofRun = getOrMake(ofTenant, id, () => new Set<Watch>());
    const watch = { onProgress, lastSeq };
    ofRun.add(watch);
    this.schedule();
    return () => {
      ofRun.delete(watch);
      if (ofRun.size === 0 && ofTenant.get(id) === ofRun) ofTenant.delete(id);
      if (ofTenant.size === 0 && this.watches.get(tenantId) === ofTenant) this.watches.delete(tenantId);
    };
  }

  private schedule(): void {
    if (this.isScheduled || this.watches.size === 0) return;
    this.isScheduled = true;
    this.deps.clock.after(LOOK_MS, () => void this.look());
  }

  /** Never rejects: a store that is away is asked again the next time. */
  private async look(): Promise<void> {
    try {
      for (const [tenantId, runs] of [...this.watches]) {
        const ids = [...runs.keys()].filter(id => !this.deps.isExecutedHere(id));
        for (const progress of await this.deps.store.read.runProgress(tenantId, ids)) this.tell(tenantId, progress);
      }
    } catch {
      // Ignore the error: callers that need the store get it from their own query.
    }
    this.isScheduled = false;
    this.schedule();
  }

  private tell(tenantId: string, progress: Progress): void {
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
