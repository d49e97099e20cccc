/** Logins at MCP servers, encrypted, for all gateways on the store. Times are milliseconds since 1970. */

/** The login at the address of one server. */
export interface McpLoginRecord {
  /** Hash of the name and the address of the server. */
  id: string;
  sealed: string;
  /** The gateway that changes the login now, until `heldUntil`. */
  heldBy?: string;
  heldUntil: number;
}

/** A login that has begun: a person is at the page of the server. */
export interface McpLoginStepRecord {
  /** SHA-256 of the secret that the browser brings back. */
  stateHash: string;
  sealed: string;
  expiresAt: number;
}

export interface McpLoginReader {
  /** All tenants: a login belongs to a server of the operator. */
  get(id: string): Promise<McpLoginRecord | undefined>;
  getStep(stateHash: string): Promise<McpLoginStepRecord | undefined>;
}

export interface McpLoginWriter {
  /** Adds or replaces a login. A change that is under way no longer counts. */
  put(id: string, sealed: string): Promise<void>;
  /** Deletes a login. A change that is under way no longer counts. Resolves false when there is none. */
  delete(id: string): Promise<boolean>;
  /** Adds a login unless there is one. */
  insertIfAbsent(id: string, sealed: string): Promise<void>;
  /**
   * Reserves the change of a login for `by`, for `lengthMs`. Resolves false while another one has it, and when there is no login. The clock of a
   * database server counts; with SQLite `now`.
   */
  hold(id: string, by: string, times: { now: number; lengthMs: number }): Promise<boolean>;
  /** Ends the reservation of `by`, with the new text when there is one. Resolves false when `by` has lost it. */
  endHold(id: string, by: string, sealed?: string): Promise<boolean>;
  insertStep(step: McpLoginStepRecord): Promise<void>;
  /** Resolves whether this call has deleted the step, so that one of several callers may use it. */
  deleteStep(stateHash: string): Promise<boolean>;
  /** Deletes the steps that expired before `time`. */
  deleteOldSteps(time: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly mcpLogins: McpLoginReader;
  }
  interface StoreWriters {
    mcpLogins: McpLoginWriter;
  }
}
