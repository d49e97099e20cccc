/** The plans of sessions: one list per session. */
import type { TodoItem } from '../run_event';

export interface TodoListRecord {
  tenantId: string;
  sessionId: string;
  /** Sorted by priority. */
  todos: TodoItem[];
  /** Milliseconds since 1970. */
  updatedAt: number;
}

export interface TodoReader {
  get(tenantId: string, sessionId: string): Promise<TodoListRecord | undefined>;
}

export interface TodoWriter {
  /** Inserts or replaces the session's list. Rejects with `internal` when the session does not exist. */
  put(list: TodoListRecord): Promise<void>;
}
