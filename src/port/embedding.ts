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
   * Resolves with one vector of length 1 for each text, in the order of the texts, all with the same number of dimensions. Takes at most
   * EMBEDDING_BATCH texts. `onTokens` gets the tokens of the texts when the server tells them. Rejects with AppErrors `model_*`, also for an unusable answer, and when `signal` is aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal, onTokens?: (inputTokens: number) => void): Promise<Float32Array[]>;
}

/** The most texts of one call. The vectors of a call are parsed in one go, so more texts would hold the event loop. */
export const EMBEDDING_BATCH = 16;
