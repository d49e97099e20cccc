import { useId, useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { type Store, useStore } from '../../platform/store';
import type { AppState } from '../../state/app_state';
import { findPlan, type TodoItem } from '../../state/view_types';
import { Icon } from '../basic/icon';

/** Shows the plan of the session: beside the conversation on wide screens, above the message field on narrow ones. */
export function PlanPanel({ store }: { store: Store<AppState> }) {
  const todos = useStore(store, state => findPlan(state.view));
  if (!todos || todos.length === 0) return null;
  return <Plan todos={todos} />;
}

function Plan({ todos }: { todos: readonly TodoItem[] }) {
  const messages = useMessages();
  const listId = useId();
  const [open, setOpen] = useState(() => matchMedia('(min-width: 1400px)').matches);
  const kept = todos.filter(todo => todo.status !== 'cancelled');
  const done = kept.filter(todo => todo.status === 'completed').length;
  const current = todos.find(todo => todo.status === 'in_progress');
  const progress = messages.planProgress(done, kept.length);
  return (
    <aside class="plan" aria-label={messages.plan} data-testid="plan-panel">
      <button type="button" class="plan-head" aria-expanded={open} aria-controls={listId} onClick={() => setOpen(!open)}>
        <Icon name="todo" />
        <strong>{messages.plan}</strong>
        {!open && current && <span class="plan-current">{current.content}</span>}
        <span class="plan-count" data-testid="plan-progress">
          {progress}
        </span>
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </button>
      <progress value={done} max={Math.max(1, kept.length)} aria-label={progress} />
      {open && (
        <ol id={listId}>
          {todos.map(todo => (
            <li key={todo.id} data-status={todo.status} data-testid="plan-item">
              <span class="mark" title={messages.todoStatus[todo.status]}>
                {todo.status === 'completed' && <Icon name="check" />}
                {todo.status === 'in_progress' && <i />}
                {todo.status === 'cancelled' && <Icon name="close" />}
                <span class="visually-hidden">{messages.todoStatus[todo.status]}: </span>
              </span>
              <span class="what">{todo.content}</span>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}
