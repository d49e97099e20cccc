/** Links that show a chat to others, as the store keeps them. Times are milliseconds since 1970. */

export interface ShareRecord {
  tenantId: string;
  id: string;
  sessionId: string;
  /** SHA-256 of the token in the link, in hex. The token itself is not stored. */
  tokenHash: string;
  /** True: whoever has the link can read the chat. */
  withoutLogin: boolean;
  /** The key that made the link. */
  keyName?: string;
  /** Later messages are not shown. */
  createdAt: number;
  expiresAt: number;
}

export interface ShareReader {
  /** Lists the links of a chat that have not expired, oldest first. */
  list(tenantId: string, sessionId: string, now: number): Promise<ShareRecord[]>;
  /** All tenants: finds the link with this hash, also when it has expired. */
  findByHash(tokenHash: string): Promise<ShareRecord | undefined>;
}

export interface ShareWriter {
  insert(share: ShareRecord): Promise<void>;
  /** Resolves false when the chat has no such link. */
  delete(tenantId: string, sessionId: string, id: string): Promise<boolean>;
  /** All tenants: deletes links that expired before the time, at most `limit`. Resolves with their number. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly shares: ShareReader;
  }
  interface StoreWriters {
    shares: ShareWriter;
  }
}
