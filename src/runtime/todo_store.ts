/** Holds the plan of one session: an ordered list of steps, at most one of them in progress. */
import type { TodoItem, TodoSummary } from '../port/run_event';
import { ToolInputError } from '../tools/common';
import type { TodoList } from '../tools/session_state';

export class TodoStore implements TodoList {
  private items: TodoItem[];

  /** Calls `onChange` synchronously after every write. */
  constructor(
    initial: readonly TodoItem[],
    private readonly onChange: (todos: TodoItem[], summary: TodoSummary) => void = () => {},
  ) {
    this.items = [...initial];
  }

  read(): TodoItem[] {
    return [...this.items];
  }

  write(todos: readonly TodoItem[], merge: boolean): void {
    const next = merge ? mergeById(this.items, todos) : mergeById([], todos);
    const running = next.filter(item => item.status === 'in_progress');
    if (running.length > 1) {
      const ids = running.map(item => item.id);
      throw new ToolInputError(
        `Only one item may be in_progress, not ${ids.length}: ${ids.join(', ')}.`,
        `只能有一项处于 in_progress，收到 ${ids.length} 项：${ids.join('、')}。`,
      );
    }
    this.items = next;
    this.onChange(this.read(), this.summary());
  }

  summary(): TodoSummary {
    const summary = { total: this.items.length, pending: 0, in_progress: 0, completed: 0, cancelled: 0 };
    for (const item of this.items) summary[item.status] += 1;
    return summary;
  }
}

/** Updates known ids in place and appends new ones; the last of a repeated id wins. */
function mergeById(current: readonly TodoItem[], changes: readonly TodoItem[]): TodoItem[] {
  const byId = new Map(current.map(item => [item.id, item]));
  for (const item of changes) byId.set(item.id, item);
  return [...byId.values()];
}
