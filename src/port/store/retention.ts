/** Finds and deletes old data of all tenants, for the gateway itself. */

/** Kinds of sessions. chat: of people and jobs. stateless: of OpenAI clients that keep the conversation themselves. response: with kept responses. temporary: temporary chats. */
export type SessionKind = 'chat' | 'stateless' | 'response' | 'temporary';

export interface OldSession {
  tenantId: string;
  id: string;
}

/** For how many days the chats of one owner are kept, where that differs from the setting of the gateway; 0: for ever. */
export interface OwnerDays {
  tenantId: string;
  owner: string;
  days: number;
}

export interface RetentionReader {
  /** Sessions of the kind without an unfinished run that were last used before the time. Child sessions go with those of their parents. Owners with days of their own are left out. */
  oldSessions(kind: SessionKind, before: number, limit: number): Promise<OldSession[]>;
  /** Chats without an unfinished run that are older than the days of their owner. */
  oldSessionsOfOwners(now: number, limit: number): Promise<OldSession[]>;
  /** The days of all owners, as they were stored last. */
  listOwnerDays(): Promise<OwnerDays[]>;
  /** Returns a mark while deleted sessions and memories may have left words in a search index or in the log of the database. */
  pendingPurge(): Promise<string | undefined>;
}

export interface RetentionWriter {
  /** Deletes ended tool calls without a session that were made before the time, at most `limit`. Resolves with their number. */
  deleteOldDirectCalls(before: number, limit: number): Promise<number>;
  /** Deletes the usage of the days before `day`. Resolves with the number of rows. */
  deleteOldUsage(day: string): Promise<number>;
  /** Replaces the days of all owners. */
  setOwnerDays(rows: readonly OwnerDays[]): Promise<void>;
  /**
   * Removes words of deleted messages and memories from the search indexes, a few pages of them. `isFirst`: begin anew. Resolves whether another call has work left.
   */
  purgeSearchIndex(isFirst: boolean): Promise<boolean>;
  /** Removes `mark`, which was read before the purge; the mark of a later deletion stays. */
  endPurge(mark: string): Promise<void>;
}
