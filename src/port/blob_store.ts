/** Keeps bytes under the hash of their content, for each tenant apart. */

/** Bytes and their contentHash. */
export interface Blob {
  hash: string;
  bytes: Uint8Array;
}

/**
 * A blob that nobody has asked for by `missing` or stored by `put` for a day may be deleted.
 *
 * @example
 * import type { BlobStore } from './blob_store';
 *
 * // Keeps blobs in memory, for tests.
 * export function memoryBlobs(): BlobStore {
 *   const blobs = new Map<string, Uint8Array>();
 *   return {
 *     missing: async (tenantId, hashes) => hashes.filter(hash => !blobs.has(`${tenantId}/${hash}`)),
 *     put: async (tenantId, given) => given.forEach(({ hash, bytes }) => blobs.set(`${tenantId}/${hash}`, bytes)),
 *     get: async (tenantId, hash) => blobs.get(`${tenantId}/${hash}`),
 *     deleteUnused: async () => {},
 *   };
 * }
 */
export interface BlobStore {
  /** Resolves with those of the hashes that have no bytes here. The others stay for a day. */
  missing(tenantId: string, hashes: readonly string[]): Promise<string[]>;
  /** Stores bytes durably. A blob that exists stays as it is. */
  put(tenantId: string, blobs: readonly Blob[]): Promise<void>;
  /** Resolves with undefined when there are no such bytes. */
  get(tenantId: string, hash: string): Promise<Uint8Array | undefined>;
  /** All tenants: deletes blobs that nobody asked for since `before` (milliseconds since 1970), unless `isNamed` or the store itself knows a name. */
  deleteUnused(before: number, isNamed: (tenantId: string, hash: string) => Promise<boolean>): Promise<void>;
}
