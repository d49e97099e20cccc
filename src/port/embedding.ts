/** Turns texts into vectors, so that texts with a similar meaning can be found. Absent without NETA_EMBEDDING_MODEL. */

/**
 * @example
 * import type { EmbeddingPort } from './embedding';
 *
 * // Two texts are alike when they have the same length: for tests.
 * export const lengthEmbedding: EmbeddingPort = {
 *   model: 'length',
 *   provider: 'none',
 *   embed: async texts => texts.map(text => Float32Array.of(Math.cos(text.length), Math.sin(text.length))),
 * };
 */
export interface EmbeddingPort {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  /** Name of the service that runs the model. Metrics and traces have it as a label. */
  readonly provider: string;
  /**
   * Resolves one vector of length 1 for each text, in their order, all with the same number of dimensions. Takes as many texts as EMBEDDING_BATCH.
   * Rejects with AppErrors `model_*`, also for an answer that cannot be used, and when `signal` is aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** Texts of one call at most: their vectors are parsed in one go. */
export const EMBEDDING_BATCH = 16;
