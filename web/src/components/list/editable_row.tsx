import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../basic/icon';
import { useReturnFocus } from '../basic/use_return_focus';

interface EditableRowProps {
  /** Test id of the row, and the end of those of its buttons. */
  testId: string;
  /** Says in an attribute which row it is, for tests and styles. */
  data: Readonly<Record<`data-${string}`, string>>;
  /** Names the row to screen readers. */
  name: string;
  edit: string;
  remove: { label: string; testId: string };
  onRemove: () => void;
  /** The form that edits the row; `close` shows the row again. */
  form: (close: () => void) => ComponentChildren;
  /** Buttons before those that edit and remove. */
  actions?: ComponentChildren;
  /** True when this person may not change the row. */
  isReadOnly?: boolean;
  children: ComponentChildren;
}

/** Shows a row of a list with its buttons, or the form that edits it. */
export function EditableRow({ testId, data, name, edit, remove, onRemove, form, actions, isReadOnly, children }: EditableRowProps) {
  const [isEditing, setEditing] = useState(false);
  const editButton = useReturnFocus(isEditing);
  if (isEditing) return <li>{form(() => setEditing(false))}</li>;
  return (
    <li class="view-row" data-testid={testId} {...data}>
      <div class="row-main">{children}</div>
      {!isReadOnly && (
        <span class="row-actions">
          {actions}
          <button
            ref={editButton}
            type="button"
            class="icon-button small"
            title={edit}
            aria-label={`${edit}: ${name}`}
            data-testid={`edit-${testId}`}
            onClick={() => setEditing(true)}
          >
            <Icon name="pencil" />
          </button>
          <button
            type="button"
            class="icon-button small"
            title={remove.label}
            aria-label={`${remove.label}: ${name}`}
            data-testid={remove.testId}
            onClick={onRemove}
          >
            <Icon name="trash" />
          </button>
        </span>
      )}
    </li>
  );
}
