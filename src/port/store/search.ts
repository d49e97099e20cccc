/** Search in the messages of a tenant. The messages of people and agents are in the index, tool results are not. */
import type { Page, PageRequest } from './page';

export type SearchedRole = 'user' | 'assistant';

export interface MessageSearch {
  /** Plain text in any language, as a person types it. Its last word also matches as the beginning of a word. */
  query: string;
  /** Only this session. Absent: all sessions but those of child runs, whose results stand in the session of their master. */
  sessionId?: string;
  /** Leaves this session out. */
  exceptSessionId?: string;
  role?: SearchedRole;
  /** Finds messages from this time on, in milliseconds since 1970. */
  since?: number;
  /** Finds messages before this time. */
  until?: number;
  /** Only chats of this agent, or of this project. */
  agent?: string;
  project?: string;
  /** True: archived chats alone. False: without them. Absent: all chats. */
  archived?: boolean;
  /** Time of the search, in milliseconds since 1970: of two messages that match alike, the newer one ranks higher. */
  now: number;
}

export interface MessageHit {
  sessionId: string;
  /** Set for the session of a child run: its messages of the role `user` are tasks of the master. */
  parentSessionId?: string;
  /** Title of the session. */
  title: string;
  runId: string;
  messageId: string;
  role: SearchedRole;
  /** The part of the message that is in the index: its start, at most 32,000 UTF-16 units. */
  text: string;
  /** Time of the message, in milliseconds since 1970. */
  createdAt: number;
  /** Score of the hit, above 0; a higher score is a better match. Comparable within one search only. */
  score: number;
}

export interface SearchReader {
  /**
   * Finds messages that hold every word of the query or, when there is none, some of its words. Ranks the newest 3,000 matches by relevance and
   * age, then the next 3,000, so that a page of a very common word costs as little as any other. A page may be shorter than its limit. A query
   * without a letter or digit finds nothing.
   */
  find(tenantId: string, search: MessageSearch, page: PageRequest): Promise<Page<MessageHit>>;
}

/** Each message waits in a queue until it is indexed, from the transaction that stores it: none is skipped, in whatever order transactions commit. */
export interface SearchIndexReader {
  /** All tenants: returns whether `indexNext` has work left. */
  hasMore(): Promise<boolean>;
  /** Returns whether messages of the tenant wait for the index. */
  hasUnindexed(tenantId: string): Promise<boolean>;
}

/** Needs the lock of the leader "search". */
export interface SearchIndexWriter {
  /**
   * All tenants: puts messages that wait into the index: at most 20 or about 16 KiB of them, a few milliseconds of work. Resolves whether more are
   * left. A message is indexed once, also with several processes and after a crash. After an upgrade it renews the index of memories and removes an
   * older index first.
   */
  indexNext(): Promise<boolean>;
  /** As `indexNext`, for the messages of one tenant, in the order of their ids. */
  indexNextOf(tenantId: string): Promise<boolean>;
}
