/** Idempotency keys: a client names a request, so that sending it twice does it once. */

export interface IdempotencyRecord {
  tenantId: string;
  key: string;
  /** Hash of the request's body. */
  fingerprint: string;
  /** Id of the run, or of another thing that the request made. */
  runId: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface IdempotencyKeyReader {
  get(tenantId: string, key: string): Promise<IdempotencyRecord | undefined>;
}

export interface IdempotencyKeyWriter {
  /** Inserts the record, or replaces the record under the same key. */
  put(record: IdempotencyRecord): Promise<void>;
  /** All tenants: deletes keys older than `before`, oldest first, at most `limit`. Resolves how many. */
  deleteBefore(before: number, limit: number): Promise<number>;
}
