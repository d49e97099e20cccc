/** Terminal state of sessions: working directory and variables, one row per session. */
import type { TerminalState } from '../shell';

export interface TerminalRecord {
  tenantId: string;
  sessionId: string;
  state: TerminalState;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

export interface TerminalReader {
  get(tenantId: string, sessionId: string): Promise<TerminalRecord | undefined>;
}

export interface TerminalWriter {
  /** Inserts or replaces the session's terminal state. Rejects with `internal` when the session does not exist. */
  put(terminal: TerminalRecord): Promise<void>;
}
