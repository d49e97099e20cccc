/** Sessions of MCP clients, so that any gateway on the store can serve them. */
import type { Locale } from '../../../port/store/sessions';

export interface McpSessionRecord {
  tenantId: string;
  /** Id of the MCP session: a UUID. */
  id: string;
  /** The API key that opened the session; empty for a caller without a key. */
  keyId: string;
  locale: Locale;
  /** Requests are answered with plain JSON instead of event streams. */
  answersJson: boolean;
  /** The client can put a question to its person. */
  canAsk: boolean;
  /** The protocol version that the client asked for. */
  protocolVersion: string;
  /** Time of a recent request, in milliseconds since 1970. Some minutes old while requests follow each other. */
  usedAt: number;
}

export interface McpSessionReader {
  get(tenantId: string, id: string): Promise<McpSessionRecord | undefined>;
  /** Reads the ids of the sessions of a key, the one that was used longest ago first. */
  idsOfKey(tenantId: string, keyId: string): Promise<string[]>;
}

export interface McpSessionWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(session: McpSessionRecord): Promise<void>;
  /** Stores the time of a request. Resolves false when the session does not exist. */
  touch(tenantId: string, id: string, usedAt: number): Promise<boolean>;
  /** Resolves false when the session does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** All tenants: deletes the sessions without a request since `time`. Resolves with their number. */
  deleteUnused(time: number): Promise<number>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly mcpSessions: McpSessionReader;
  }
  interface StoreWriters {
    mcpSessions: McpSessionWriter;
  }
}
