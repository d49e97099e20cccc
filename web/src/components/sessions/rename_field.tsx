import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';

const MAX_TITLE = 200;

interface RenameFieldProps {
  title: string;
  /** Gets the new title, or undefined when the person cancelled. */
  onDone: (title: string | undefined) => void;
}

export function RenameField({ title, onDone }: RenameFieldProps) {
  const messages = useMessages();
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  // Escape removes the field, and the blur that follows must not save.
  const settled = useRef(false);
  const settle = (next: string | undefined) => {
    if (settled.current) return;
    settled.current = true;
    onDone(next);
  };
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      class="rename-field"
      value={text}
      maxLength={MAX_TITLE}
      aria-label={messages.renameTitle}
      data-testid="rename-field"
      onInput={event => setText(event.currentTarget.value)}
      onBlur={() => settle(text.trim())}
      onKeyDown={event => {
        if (event.isComposing) return;
        if (event.key === 'Enter') settle(text.trim());
        if (event.key === 'Escape') {
          event.stopPropagation();
          settle(undefined);
        }
      }}
    />
  );
}
