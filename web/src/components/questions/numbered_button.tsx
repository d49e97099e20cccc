import type { ComponentChildren } from 'preact';

interface NumberedButtonProps {
  class: string;
  testId: string;
  /** Position among the choices, from 1. Alt and this number choose it. */
  number: number;
  /** True once the card has been visible long enough that a key press is meant for it. */
  hasShortcut: boolean;
  isSending: boolean;
  /** Absent: a press acts at once. */
  isPressed?: boolean;
  describedBy?: string;
  onChoose: () => void;
  children: ComponentChildren;
}

/** Shows a choice of a question or an approval. It stays enabled while the answer is sent: disabling it would drop the focus. */
export function NumberedButton(props: NumberedButtonProps) {
  const { number, isSending, onChoose } = props;
  return (
    <button
      type="button"
      class={props.class}
      data-testid={props.testId}
      data-number={number}
      data-shortcut={props.hasShortcut ? number : undefined}
      aria-keyshortcuts={`Alt+${number}`}
      aria-describedby={props.describedBy}
      aria-disabled={isSending}
      aria-pressed={props.isPressed}
      onClick={() => {
        if (!isSending) onChoose();
      }}
    >
      {props.children}
    </button>
  );
}
