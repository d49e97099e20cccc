import { useLayoutEffect, useRef } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';

interface TextFormProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  onTyping: () => void;
  submit: string;
  isDangerous?: boolean;
  isSending: boolean;
  onSubmit: () => void;
  onBack: () => void;
}

/** Shows a text field with a button that submits it and one that goes back. */
export function TextForm({ label, text, onText, onTyping, submit, isDangerous, isSending, onSubmit, onBack }: TextFormProps) {
  const messages = useMessages();
  const field = useRef<HTMLTextAreaElement>(null);
  const rows = useRef(Math.min(12, Math.max(2, text.split('\n').length))).current;
  // Focus before the first paint, so that the next key goes into the field.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="approval-form"
      onSubmit={event => {
        event.preventDefault();
        if (!isSending) onSubmit();
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing) return;
        // Handle Escape here: outside the form it would stop the agent.
        event.preventDefault();
        onBack();
      }}
    >
      <textarea
        ref={field}
        rows={rows}
        value={text}
        aria-label={label}
        placeholder={label}
        spellcheck={false}
        data-testid="approval-text"
        readOnly={isSending}
        onInput={event => {
          onText(event.currentTarget.value);
          onTyping();
        }}
      />
      <div class="approval-buttons">
        <button
          type="submit"
          class={isDangerous ? 'button danger' : 'button primary'}
          data-testid="approval-submit"
          aria-disabled={isSending}
        >
          {submit}
        </button>
        <button type="button" class="button" disabled={isSending} onClick={onBack}>
          {messages.back}
        </button>
      </div>
    </form>
  );
}
