import { useLayoutEffect, useRef } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';

interface TextFormProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  onTyping: () => void;
  submit: string;
  /** Names the keys. */
  hint: string;
  /** Enter submits, as in the message field. Without it, Enter makes a new line, and Ctrl or Cmd with Enter submits. */
  sendsOnEnter?: boolean;
  isSending: boolean;
  onSubmit: () => void;
  onBack: () => void;
}

/** Shows a text field with a button that submits it and one that goes back. */
export function TextForm({ label, text, onText, onTyping, submit, hint, sendsOnEnter, isSending, onSubmit, onBack }: TextFormProps) {
  const messages = useMessages();
  const field = useRef<HTMLTextAreaElement>(null);
  const rows = useRef(Math.min(12, Math.max(2, text.split('\n').length))).current;
  // Focus before the first paint, so that the next key goes into the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    if (!isSending) onSubmit();
  };
  return (
    <form
      class="approval-form"
      onSubmit={send}
      onKeyDown={event => {
        // An input method uses Enter and Escape for its own candidates; older browsers report key code 229 then.
        if (event.isComposing || event.keyCode === 229) return;
        const isField = event.target === field.current;
        if (event.key === 'Enter' && isField && (sendsOnEnter ? !event.shiftKey : event.ctrlKey || event.metaKey)) send(event);
        if (event.key !== 'Escape') return;
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
        <button type="submit" class="button primary" data-testid="approval-submit" aria-disabled={isSending}>
          {submit}
        </button>
        <button type="button" class="button" disabled={isSending} onClick={onBack}>
          {messages.back}
        </button>
        <span class="key-hint">{hint}</span>
      </div>
    </form>
  );
}
