/**
 * Vectors of one embedding model, kept by the hash of their text: in memory and in the store. What is missing is embedded in the background, so no
 * turn waits for it.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import type { EmbeddingPort } from '../../port/embedding';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { TextVector } from '../../port/store/vectors';
import { clipStart } from '../../utils/clip_text';
import { createYielder } from '../../utils/yield_to_event_loop';
import { EmbeddingQueue } from './embedding_queue';
import { EndpointHealth } from './endpoint_health';
import { vectorKey } from './vector_key';

/** UTF-16 units of a text that are embedded: models take some thousand tokens. */
const MAX_TEXT_UNITS = 6_000;
const MAX_CACHE_BYTES = 48 * 1024 * 1024;
/** Queries of one tenant that the server works on. */
const MAX_QUERIES = 8;
/** A vector that was used less long ago keeps its time of use, which saves a write. */
const USE_STEP_MS = 24 * 3_600_000;

export interface ModelVectorsDeps {
  store: Store;
  clock: Clock;
  onError: LogError;
  embedding: EmbeddingPort;
}

export class ModelVectors {
  private readonly cache = new LRUCache<string, Float32Array>({ maxSize: MAX_CACHE_BYTES, sizeCalculation: vector => vector.byteLength });
  private readonly health: EndpointHealth;
  private readonly queue: EmbeddingQueue;
  /** Hash of a query -> its call. */
  private readonly queries = new Map<string, Promise<Float32Array | undefined>>();
  /** Running queries by tenant. */
  private readonly queryCounts = new Map<string, number>();

  constructor(private readonly deps: ModelVectorsDeps) {
    this.health = new EndpointHealth(`embeddings (${deps.embedding.model}) fail, so texts are ranked by their words alone`, deps);
    this.queue = new EmbeddingQueue({ ...deps, health: this.health, onVectors: found => this.remember(found) });
  }

  async vectorsFor(texts: readonly string[], tenantId?: string): Promise<ReadonlyMap<string, Float32Array>> {
    const { queue } = this;
    const known = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    const yieldWhenDue = createYielder();
    for (const text of texts) {
      await yieldWhenDue();
      const hash = vectorKey(text, tenantId);
      const vector = this.cache.get(hash);
      if (vector && queue.isComparable(vector)) known.set(text, vector);
      else missing.set(hash, text);
    }
    for (const { hash, vector } of await this.readStored([...missing.keys()].filter(hash => !queue.has(hash)))) {
      const text = missing.get(hash);
      if (text !== undefined) known.set(text, vector);
      missing.delete(hash);
    }
    queue.add([...missing].map(([hash, text]) => ({ hash, text: clipStart(text, MAX_TEXT_UNITS) })));
    return known;
  }

  /** Keeps the vector in memory only: a query may be private. */
  async queryVector(text: string, { tenantId, timeoutMs }: { tenantId: string; timeoutMs: number }): Promise<Float32Array | undefined> {
    const hash = vectorKey(text, tenantId);
    const known = this.cache.get(hash);
    if (known || this.health.pauseMs > 0) return known;
    let call = this.queries.get(hash);
    if (!call) {
      const running = this.queryCounts.get(tenantId) ?? 0;
      if (running >= MAX_QUERIES) return undefined;
      this.queryCounts.set(tenantId, running + 1);
      call = this.embedQuery(hash, text).finally(() => this.endQuery(hash, tenantId));
      this.queries.set(hash, call);
    }
    return this.waitFor(call, timeoutMs);
  }

  private endQuery(hash: string, tenantId: string): void {
    this.queries.delete(hash);
    const left = (this.queryCounts.get(tenantId) ?? 1) - 1;
    if (left > 0) this.queryCounts.set(tenantId, left);
    else this.queryCounts.delete(tenantId);
  }

  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.cache.delete(hash);
    this.queue.remove(hashes);
  }

  listWarnings(): string[] {
    const { warning } = this.health;
    return warning === undefined ? [] : [warning];
  }

  stop(): void {
    this.queue.stop();
  }

  private remember(found: readonly TextVector[]): void {
    for (const { hash, vector } of found) this.cache.set(hash, vector);
  }

  private async readStored(hashes: readonly string[]): Promise<readonly TextVector[]> {
    const { store, clock, onError, embedding } = this.deps;
    if (hashes.length === 0) return [];
    try {
      const rows = await store.read.vectors.read(embedding.model, hashes);
      const found = rows.filter(({ vector }) => this.queue.isComparable(vector));
      this.remember(found);
      const now = clock.now();
      const old = found.filter(({ usedAt }) => usedAt < now - USE_STEP_MS).map(({ hash }) => hash);
      if (old.length > 0) {
        const written = store.transaction({ leader: 'vectors' }, tx => tx.vectors.markUsed(embedding.model, old, now));
        written.catch(thrown => onError('the last use of vectors cannot be stored', thrown));
      }
      return found;
    } catch (thrown) {
      onError('the vectors of texts cannot be read', thrown);
      return [];
    }
  }

  /** Embeds a query. Never rejects. */
  private async embedQuery(hash: string, text: string): Promise<Float32Array | undefined> {
    try {
      const [vector] = await this.deps.embedding.embed([clipStart(text, MAX_TEXT_UNITS)], new AbortController().signal);
      this.health.recordSuccess();
      this.queue.learnDimensions(vector);
      if (vector) this.cache.set(hash, vector);
      return vector;
    } catch (thrown) {
      this.health.recordFailure(thrown);
      return undefined;
    }
  }

  /** Waits for `call`. Resolves undefined when the timeout is over. */
  private waitFor<T>(call: Promise<T>, timeoutMs: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.deps.clock.after(timeoutMs, () => resolve(undefined));
      call.finally(stopTimer).then(resolve, reject);
    });
  }
}
