/**
 * Gives vectors of texts, to rank them by meaning. Without an embedding model there are none, and callers rank by words alone; the same holds for
 * texts whose vector is not there yet and while the server fails.
 *
 *   const vectors = await embeddings.vectorsFor(texts, 'acme');         // text -> vector, of those that are known
 *   const query = await embeddings.queryVector('cold drinks', 'acme');  // undefined when it is not there in time
 *   const score = similarity(query, vectors.get(text));                 // 0 to 1; fuseRankings mixes it with a ranking by words
 */
import { ModelVectors, type ModelVectorsDeps } from './model_vectors';
import { vectorKey } from './vector_key';

/** Milliseconds that a caller waits for the vector of its query. */
const QUERY_TIMEOUT_MS = 800;

/** Without `embedding` there are no vectors, and no work is done for them. */
type EmbeddingServiceDeps = Omit<ModelVectorsDeps, 'embedding'> & Partial<Pick<ModelVectorsDeps, 'embedding'>>;

export class EmbeddingService {
  private readonly vectors: ModelVectors | undefined;

  constructor({ embedding, ...deps }: EmbeddingServiceDeps) {
    this.vectors = embedding && new ModelVectors({ ...deps, embedding });
  }

  /** False: there are never any vectors. */
  get isEnabled(): boolean {
    return this.vectors !== undefined;
  }

  /**
   * Resolves with the known vectors by text, after at most one read of the store. Missing vectors are made in the background, and a later call finds
   * them. `tenantId`: the tenant of the texts; absent for texts of the operator, such as descriptions of tools. Never rejects, and never waits for
   * the server.
   */
  async vectorsFor(texts: readonly string[], tenantId?: string): Promise<ReadonlyMap<string, Float32Array>> {
    return (await this.vectors?.vectorsFor(texts, tenantId)) ?? new Map();
  }

  /** Resolves the vector of a search; undefined when the server does not answer within the timeout or fails. Never rejects. */
  async queryVector(text: string, tenantId: string, timeoutMs = QUERY_TIMEOUT_MS): Promise<Float32Array | undefined> {
    return this.vectors?.queryVector(text, { tenantId, timeoutMs });
  }

  /** Forgets the vectors of deleted texts. Returns their hashes, which the caller deletes in the store, even when no model is set. */
  forgetTexts(texts: readonly string[], tenantId: string): string[] {
    const hashes = texts.map(text => vectorKey(text, tenantId));
    this.vectors?.forget(hashes);
    // Also forget the keys of earlier versions, which had no tenant.
    return [...hashes, ...texts.map(text => vectorKey(text))];
  }

  /** Lists what an operator should mend, for /readyz. */
  listWarnings(): string[] {
    return this.vectors?.listWarnings() ?? [];
  }

  /** Ends the calls to the embedding server. */
  stop(): void {
    this.vectors?.stop();
  }
}
