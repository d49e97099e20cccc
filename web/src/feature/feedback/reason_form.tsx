import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { feedbackTexts } from './feedback_texts';

const MAX_LENGTH = 2_000;

interface ReasonFormProps {
  text: string;
  onSend: (text: string) => void;
  onClose: () => void;
}

/** The field for a sentence about a bad answer. Enter sends it, Escape leaves the field; the rating stays either way. */
export function ReasonForm({ text: earlier, onSend, onClose }: ReasonFormProps) {
  const texts = feedbackTexts[useLocale()];
  const [text, setText] = useState(earlier);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="reason-form"
      onSubmit={event => {
        event.preventDefault();
        onSend(text.trim());
      }}
      onKeyDown={event => {
        // An input method uses Escape for its own candidates; older browsers report key code 229 then.
        if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229) return;
        // Handle Escape here: outside the form it would stop the agent.
        event.preventDefault();
        onClose();
      }}
    >
      <input
        ref={field}
        value={text}
        maxLength={MAX_LENGTH}
        aria-label={texts.field}
        placeholder={texts.hint}
        enterkeyhint="send"
        data-testid="reason"
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" data-testid="send-reason">
        {texts.send}
      </button>
    </form>
  );
}
