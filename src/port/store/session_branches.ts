/** The branches of a chat: sessions that begin with the same messages, each with other messages from some run on. */

import type { Page, PageRequest } from './page';
import type { Viewer } from './session_access';
import type { ChatPatch } from './sessions';

/** A branch that has a run. */
export interface BranchRecord {
  sessionId: string;
  /** The run in whose place the first run of the branch stands, and the session in which the run was replaced; the session is absent when it was deleted. */
  beforeRunId: string;
  beforeSessionId?: string;
  firstRunId: string;
}

/** A session of a chat, with the place at which it leaves the session that it was branched from. */
export interface ChatSession {
  id: string;
  title: string;
  /** The last message that the branch has in common with its source, by its id in the source. Absent: the branch begins anew, or is the first session. */
  parentMessageId?: string;
  /** The number of its messages. */
  messages: number;
  createdAt: number;
  /** True for the session that lists show of the chat. */
  isActive: boolean;
}

/** The most branches that a list has. */
export const MAX_LISTED_BRANCHES = 500;

export interface SessionBranchReader {
  /** Lists the branches of the chat that have a run, oldest first, the newest MAX_LISTED_BRANCHES. */
  list(tenantId: string, rootSessionId: string): Promise<BranchRecord[]>;
  /** Lists the sessions of a chat, oldest first. For a session without branches: the session alone. */
  sessions(tenantId: string, rootSessionId: string, page: PageRequest): Promise<Page<ChatSession>>;
  /** The projects of the tenant, by name, with their number of chats that are not archived. */
  projects(tenantId: string, viewer?: Viewer): Promise<{ name: string; sessions: number }[]>;
  /** Ids of the sessions of the chat, the first session too. */
  sessionIds(tenantId: string, rootSessionId: string): Promise<string[]>;
}

export interface SessionBranchWriter {
  /** Makes a session the first session of a chat with branches. Does nothing to a session that belongs to such a chat already. */
  beginChat(tenantId: string, sessionId: string): Promise<void>;
  /**
   * Makes a session the one that lists show of its chat, as if it was used last. Resolves false when the chat has no such session. `now` is in
   * milliseconds since 1970.
   */
  activate(tenantId: string, rootSessionId: string, sessionId: string, now: number): Promise<boolean>;
  /** Changes what the sessions of the chat have in common. Fields that are absent stay as they are. */
  changeChat(tenantId: string, rootSessionId: string, patch: ChatPatch): Promise<void>;
}
