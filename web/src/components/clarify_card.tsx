import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useMessages } from '../i18n/language_context';
import { hasKeyboard } from '../platform/has_keyboard';
import { isWriting } from '../platform/is_writing';
import type { ClarifyItem } from '../state/view_types';
import { Countdown } from './countdown';
import { Icon } from './icon';
import { MarkdownView } from './markdown_view';
import { memo } from './memo';

interface ClarifyCardProps {
  item: ClarifyItem;
  clockOffsetMs: number;
  onAnswer: (requestId: string, answer: string) => Promise<void>;
  onExtend: (requestId: string) => Promise<void>;
}

export const ClarifyCard = memo((props: ClarifyCardProps) => {
  const messages = useMessages();
  const titleId = useId();
  const { item } = props;
  // Only who saw the question open can tell that somebody else was quicker; a replay brings question and answer at once.
  const sawPending = useRef(item.status === 'pending').current;
  return (
    <section class="clarify-card" aria-labelledby={titleId} data-testid="clarify-card" data-status={item.status}>
      <header>
        <Icon name="question" />
        <span>{messages.question}</span>
        {item.status === 'pending' && <Countdown {...props} testIds="clarify" />}
      </header>
      <div class="clarify-question" id={titleId}>
        <MarkdownView text={item.question} done />
      </div>
      {item.status === 'pending' ? <AnswerForm {...props} /> : <Outcome item={item} sawPending={sawPending} />}
    </section>
  );
});

function AnswerForm({ item, onAnswer }: ClarifyCardProps) {
  const messages = useMessages();
  const [text, setText] = useState('');
  const [sending, setSending] = useState<string>();
  const [failed, setFailed] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The question takes the focus, but never away from somebody who is typing, and without raising the keyboard of a phone.
  useEffect(() => {
    const first = hasKeyboard() ? 'button, input' : 'button:not([disabled])';
    if (!isWriting()) form.current?.querySelector<HTMLElement>(first)?.focus({ preventScroll: true });
  }, []);

  const submit = async (answer: string) => {
    setSending(answer);
    setFailed(false);
    try {
      await onAnswer(item.requestId, answer);
    } catch {
      setFailed(true);
      setSending(undefined);
    }
  };
  return (
    <form
      ref={form}
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() && sending === undefined) void submit(text.trim());
      }}
    >
      {item.choices && item.choices.length > 0 && (
        <div class="choices">
          {item.choices.map(choice => (
            <button
              key={choice}
              type="button"
              class="choice"
              data-testid="clarify-choice"
              disabled={sending !== undefined}
              onClick={() => void submit(choice)}
            >
              {choice}
              {sending === choice && <span class="spinner" />}
            </button>
          ))}
        </div>
      )}
      <div class="answer-row">
        <input
          type="text"
          value={text}
          aria-label={messages.answerLabel}
          placeholder={item.choices?.length ? messages.answerPlaceholder : `${messages.answerLabel}…`}
          data-testid="clarify-input"
          autocomplete="off"
          disabled={sending !== undefined}
          onInput={event => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" data-testid="clarify-submit" disabled={!text.trim() || sending !== undefined}>
          {messages.answer}
        </button>
      </div>
      {failed && (
        <p class="form-error" role="alert">
          {messages.requestFailed}
        </p>
      )}
    </form>
  );
}

function Outcome({ item, sawPending }: { item: ClarifyItem; sawPending: boolean }) {
  const messages = useMessages();
  if (item.status !== 'answered') {
    return <p class="clarify-outcome">{item.status === 'expired' ? messages.questionExpired : messages.questionCancelled}</p>;
  }
  return (
    <p class="clarify-outcome answered" data-testid="clarify-answer">
      <Icon name="check" />
      <span class="who">{item.mine ? messages.answeredByYou : sawPending ? messages.answeredElsewhere : messages.answered}</span>
      <strong>{item.answer}</strong>
    </p>
  );
}
