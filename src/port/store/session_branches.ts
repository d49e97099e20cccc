/** The branches of a chat: sessions that begin with the same messages, each with other messages from some run on. */

import type { ChatPatch } from './sessions';

/** A branch that has a run. */
export interface BranchRecord {
  sessionId: string;
  /** The run in whose place the first run of the branch stands, and the session in which the run was replaced; the session is absent when it was deleted. */
  beforeRunId: string;
  beforeSessionId?: string;
  firstRunId: string;
}

/** The most branches that a list has. */
export const MAX_LISTED_BRANCHES = 500;

export interface SessionBranchReader {
  /** Lists the branches of the chat that have a run, oldest first, the newest MAX_LISTED_BRANCHES. */
  list(tenantId: string, rootSessionId: string): Promise<BranchRecord[]>;
  /** The projects of the tenant, by name, with their number of chats that are not archived. */
  projects(tenantId: string): Promise<{ name: string; sessions: number }[]>;
  /** Ids of the sessions of the chat, the first session too. */
  sessionIds(tenantId: string, rootSessionId: string): Promise<string[]>;
}

export interface SessionBranchWriter {
  /** Makes a session the first session of a chat with branches. Does nothing to a session that belongs to such a chat already. */
  beginChat(tenantId: string, sessionId: string): Promise<void>;
  /** Changes what the sessions of the chat have in common. Fields that are absent stay as they are. */
  changeChat(tenantId: string, rootSessionId: string, patch: ChatPatch): Promise<void>;
}
