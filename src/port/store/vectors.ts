/**
 * Vectors of texts, by model and content hash, so that a text is embedded once. Times are milliseconds since 1970. All tenants share the vectors: a
 * hash tells nothing to a caller that does not have the text.
 */

export interface TextVector {
  /** Content hash of the text. */
  hash: string;
  vector: Float32Array;
}

export interface VectorReader {
  /** Reads the vectors that exist, in any order. All tenants. */
  read(model: string, hashes: readonly string[]): Promise<(TextVector & { usedAt: number })[]>;
}

export interface VectorWriter {
  /** Stores vectors; one with the same model and hash is replaced. All tenants. */
  put(model: string, vectors: readonly TextVector[], usedAt: number): Promise<void>;
  /** Sets the time of the last use. All tenants. */
  markUsed(model: string, hashes: readonly string[], usedAt: number): Promise<void>;
  /** Deletes the vectors of texts, of every model. All tenants. */
  delete(hashes: readonly string[]): Promise<void>;
  /** Deletes vectors that were last used before `before`, and of the rest all but the `keep` most recently used. All tenants. */
  deleteOld(before: number, keep: number): Promise<void>;
}
