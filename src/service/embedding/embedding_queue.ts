/** Embeds texts in the background, a batch at a time, and stores their vectors. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import { EMBEDDING_BATCH, type EmbeddingPort } from '../../port/embedding';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { TextVector } from '../../port/store/vectors';
import type { EndpointHealth } from './endpoint_health';

/** The most texts that wait for their vectors. Callers ask for further texts again later. */
const MAX_WAITING = 5_000;
/** UTF-16 units of a batch. */
const MAX_BATCH_UNITS = 24_000;
/** Vectors in the store, of all models: at 1,536 dimensions 120 MB. */
const MAX_STORED = 20_000;
const UNUSED_MS = 30 * 24 * 3_600_000;
const MAX_REFUSED = 1_000;

export interface QueuedText {
  hash: string;
  text: string;
}

export interface EmbeddingQueueDeps {
  store: Store;
  clock: Clock;
  onError: LogError;
  embedding: EmbeddingPort;
  health: EndpointHealth;
  onVectors: (found: readonly TextVector[]) => void;
}

export class EmbeddingQueue {
  /** Hash -> text, in the order of arrival. Texts of the current batch stay until the batch has ended. */
  private readonly waiting = new Map<string, string>();
  /** Hashes of texts that the server refuses, such as for their length. */
  private readonly refused = new Set<string>();
  private readonly end = new AbortController();
  private isWorking = false;
  private stopTimer = () => {};
  /** 1 after a refusal, to find the text that the server refuses. */
  private batchSize = EMBEDDING_BATCH;
  private dimensions: number | undefined;

  constructor(private readonly deps: EmbeddingQueueDeps) {}

  has(hash: string): boolean {
    return this.waiting.has(hash);
  }

  /** Returns false for a stored vector with another number of dimensions than the server gives now: it changed the model behind the name. */
  isComparable(vector: Float32Array): boolean {
    return this.dimensions === undefined || vector.length === this.dimensions;
  }

  /** Tells how many dimensions the vectors of the server have now. */
  learnDimensions(vector: Float32Array | undefined): void {
    if (vector) this.dimensions = vector.length;
  }

  /** Returns at once. */
  add(texts: readonly QueuedText[]): void {
    for (const { hash, text } of texts) {
      if (this.waiting.size >= MAX_WAITING) break;
      if (text.trim() !== '' && !this.refused.has(hash)) this.waiting.set(hash, text);
    }
    this.wake();
  }

  /** Drops the vectors of these texts, vectors included that the server is computing. */
  remove(hashes: readonly string[]): void {
    for (const hash of hashes) this.waiting.delete(hash);
  }

  stop(): void {
    this.end.abort();
    this.stopTimer();
  }

  private wake(): void {
    if (this.isWorking || this.waiting.size === 0 || this.end.signal.aborted) return;
    this.isWorking = true;
    void this.work().finally(() => {
      this.isWorking = false;
      this.tryAgainLater();
    });
  }

  /** Embeds waiting texts until none is left. Never rejects. */
  private async work(): Promise<void> {
    const { health, onError } = this.deps;
    while (this.waiting.size > 0 && health.pauseMs === 0 && !this.end.signal.aborted) {
      const batch = this.nextBatch();
      try {
        const found = await this.embed(batch);
        if (found) await this.store(found);
      } catch (thrown) {
        // The vectors are still in memory; the next process makes them again.
        onError('the vectors of texts cannot be stored', thrown);
      }
    }
  }

  private tryAgainLater(): void {
    this.stopTimer();
    const { clock, health } = this.deps;
    if (this.waiting.size > 0 && !this.end.signal.aborted) this.stopTimer = clock.after(Math.max(1, health.pauseMs), () => this.wake());
  }

  private nextBatch(): QueuedText[] {
    const batch: QueuedText[] = [];
    let units = 0;
    for (const [hash, text] of this.waiting) {
      units += text.length;
      if (batch.length > 0 && (units > MAX_BATCH_UNITS || batch.length >= this.batchSize)) break;
      batch.push({ hash, text });
    }
    return batch;
  }

  /** Embeds a batch. Resolves undefined when the server failed. */
  private async embed(batch: readonly QueuedText[]): Promise<TextVector[] | undefined> {
    const { embedding, health } = this.deps;
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await embedding.embed(texts, this.end.signal);
      health.recordSuccess();
      this.batchSize = EMBEDDING_BATCH;
      this.learnDimensions(vectors[0]);
      // Leaves out texts that were removed during the call to the server: a removed text must leave no vector behind.
      return batch.flatMap(({ hash }, i) => {
        const vector = vectors[i];
        return vector && this.waiting.delete(hash) ? [{ hash, vector }] : [];
      });
    } catch (thrown) {
      if (this.end.signal.aborted) return undefined;
      if (isRefusalOfText(thrown)) this.narrow(batch, thrown);
      else health.recordFailure(thrown);
      return undefined;
    }
  }

  /** Tries the texts of a refused batch one by one, and leaves out the text that the server refuses. */
  private narrow(batch: readonly QueuedText[], thrown: unknown): void {
    const [only] = batch;
    if (batch.length > 1 || !only) {
      this.batchSize = 1;
      return;
    }
    const { health, onError } = this.deps;
    this.waiting.delete(only.hash);
    if (this.dimensions === undefined) {
      // The server has embedded no text yet, so it may refuse every text. Another text is tried first after the pause.
      this.waiting.set(only.hash, only.text);
      health.recordFailure(thrown);
      return;
    }
    if (this.refused.size === 0) onError('the embedding server refuses a text, which is ranked by its words alone', thrown);
    if (this.refused.size < MAX_REFUSED) this.refused.add(only.hash);
  }

  private async store(found: readonly TextVector[]): Promise<void> {
    const { store, clock, embedding, onVectors } = this.deps;
    onVectors(found);
    const now = clock.now();
    await store.transaction({ leader: 'vectors' }, async tx => {
      await tx.vectors.put(embedding.model, found, now);
      await tx.vectors.deleteOld(now - UNUSED_MS, MAX_STORED);
    });
  }
}

/** A wrong key or a missing model is refused with a status of its own. */
function isRefusalOfText(thrown: unknown): boolean {
  if (!(thrown instanceof AppError) || thrown.code !== 'model_refused') return false;
  const status = thrown.details?.['status'];
  return status === 400 || status === 413 || status === 422 || thrown.details?.['reason'] === 'context_length';
}
