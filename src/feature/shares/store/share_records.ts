/** Links that show a chat to others, as the store keeps them. Times are milliseconds since 1970. */

import type { GUEST } from '../../../port/roles';
import type { MessagePlace } from '../../../port/store/messages';

export type ShareRole = typeof GUEST;

export interface ShareRecord {
  tenantId: string;
  id: string;
  sessionId: string;
  /** SHA-256 of the token in the link, in hex. The token itself is not stored. */
  tokenHash: string;
  /** guest: whoever has the link may write in the chat. Absent: the link shows it. */
  role?: ShareRole;
  /** True: whoever has the link can read the chat. */
  isPublic: boolean;
  /** The key that made the link. */
  keyName?: string;
  /** The place of the last message that the link shows. */
  lastOrdinal: MessagePlace['runOrdinal'];
  lastPosition: MessagePlace['position'];
  createdAt: number;
  expiresAt: number;
}

export interface ShareReader {
  get(tenantId: string, id: string): Promise<ShareRecord | undefined>;
  /** Lists the links of a chat that have not expired, oldest first. */
  list(tenantId: string, sessionId: string, now: number): Promise<ShareRecord[]>;
  /** All tenants: finds the link with this hash, also when it has expired. */
  findByHash(tokenHash: string): Promise<ShareRecord | undefined>;
  /** All tenants: the links of guests that have not expired. */
  listForGuests(now: number): Promise<ShareRecord[]>;
}

export interface ShareWriter {
  insert(share: ShareRecord): Promise<void>;
  /** Resolves false when there is no such link. */
  delete(tenantId: string, id: string): Promise<boolean>;
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
