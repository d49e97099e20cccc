/** The MCP and manifest tools that were chosen for a session, for each agent that ran in it. */

export interface SessionToolsKey {
  tenantId: string;
  sessionId: string;
  agent: string;
}

export interface SessionToolsRecord extends SessionToolsKey {
  /**
   * Names of the chosen tools, in the order in which the model gets them. A name stays when its tool is gone, because the source of the tool may come
   * back.
   */
  names: readonly string[];
  /** Milliseconds since 1970. */
  updatedAt: number;
}

export interface SessionToolsReader {
  /** Resolves with undefined when nothing was chosen yet. */
  get(key: SessionToolsKey): Promise<SessionToolsRecord | undefined>;
}

export interface SessionToolsWriter {
  /** Inserts or replaces the list. Rejects with `internal` when the session does not exist. */
  put(record: SessionToolsRecord): Promise<void>;
}
