/** What a tool call reads and changes of its session: the plan and the terminal. */
import type { TodoItem, TodoSummary } from '../port/run_event';
import type { TerminalState } from '../port/shell';

/** The plan of a session. */
export interface TodoList {
  read(): TodoItem[];
  /** Replaces the list, or merges by id: updates known ids in place and appends new ones. Throws ToolInputError for more than one in_progress. */
  write(todos: readonly TodoItem[], merge: boolean): void;
  summary(): TodoSummary;
}

/** The terminal of a session. */
export interface Terminal {
  /**
   * Runs `work` with the stored state (undefined before the first command), then stores `next` if there is one. Calls for the same session run one
   * after another. Rejects when the state cannot be read or written.
   */
  use<T>(work: (state: TerminalState | undefined) => Promise<{ result: T; next?: TerminalState }>): Promise<T>;
}
