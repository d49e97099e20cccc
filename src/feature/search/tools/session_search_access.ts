/** The access of session_search to earlier conversations. ../session_search.ts implements it. */

declare module '../../../tools/common' {
  interface ToolAccess {
    /** Absent: earlier conversations cannot be searched. */
    readonly sessionSearch?: SessionSearchAccess;
  }
}

export interface SessionSearchRequest {
  query: string;
  limit: number;
  /** Finds messages from this time on, in milliseconds since 1970. */
  since?: number;
  sessionId?: string;
  /** Leaves this session out. */
  exceptSessionId?: string;
}

/** Texts are on one line. Times are milliseconds since 1970. `isTask`: a master wrote it to a crew member. */
export interface SessionSearchResult {
  messages: { sessionId: string; title: string; role: 'user' | 'assistant'; isTask?: true; at: number; snippet: string }[];
  /** Sessions whose title holds all words, the most recently used first. Empty for a search in one session. */
  sessions: { sessionId: string; title: string; updatedAt: number }[];
}

export interface SessionSearchAccess {
  /** Searches the messages and titles of one tenant. Resolves undefined when the session to search in does not exist. */
  searchSessions(tenantId: string, request: SessionSearchRequest): Promise<SessionSearchResult | undefined>;
}
