import { useLayoutEffect } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { usePeople } from '../../state/people_context';
import type { ClarifyItem } from '../../state/view_types';
import { Icon } from '../basic/icon';
import type { ClarifyCardProps } from './clarify_card';
import { FormQuestion } from './form_question';
import { questionFormTexts } from './question_form_texts';
import { useAnswers } from './use_answers';
import { useAskingCard } from './use_asking_card';
import './question_form.css';

interface QuestionFormProps extends Omit<ClarifyCardProps, 'item'> {
  /** The questions in the order in which they were asked; some may be closed. */
  items: readonly [ClarifyItem, ...ClarifyItem[]];
  /** Called while the person types an answer. */
  onTyping: (requestId: string) => void;
}

/** Shows questions that wait at the same time on one card, and sends their answers together or one by one. */
export function QuestionForm({ items, onAnswer, onTyping, ...rest }: QuestionFormProps) {
  const texts = questionFormTexts[useLocale()];
  const mayAnswer = usePeople().part !== 'watcher';
  const open = items.filter(({ status }) => status === 'pending');
  const status = open.length > 0 ? 'pending' : items[0].status;
  const { card, titleId, sawPending } = useAskingCard(status);
  useTopInView(card, items.length);
  const answers = useAnswers(items[0].requestId, onAnswer);
  const ready = open.filter(({ requestId }) => answers.answerOf(requestId) !== undefined);
  const isSending = open.some(({ requestId }) => answers.isSending(requestId));

  /** Leads to the next question without an answer, and sends when there is none. */
  const goOn = (requestId: string) => {
    const next = open.find(other => other.requestId !== requestId && answers.answerOf(other.requestId) === undefined);
    if (next) card.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(next.requestId)}"] textarea`)?.focus();
    else void answers.send(open);
  };
  return (
    <section
      ref={card}
      class="clarify-card question-form"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="question-form"
      data-status={status}
    >
      <header>
        <Icon name="question" />
        <span id={titleId}>{texts.title(items.length)}</span>
      </header>
      {items.map((item, index) => (
        <FormQuestion
          key={item.id}
          {...rest}
          item={item}
          place={{ number: index + 1, count: items.length }}
          answers={answers}
          sawPending={sawPending}
          isAlone={open.length === 1}
          // The deadlines of all questions move, because the person answers them together.
          onTyping={() => {
            for (const { requestId } of open) onTyping(requestId);
          }}
          onEnter={() => goOn(item.requestId)}
        />
      ))}
      {open.length > 0 && mayAnswer && (
        <footer>
          <button
            type="button"
            class="button primary"
            data-testid="send-answers"
            aria-disabled={ready.length === 0 || isSending}
            onClick={() => {
              if (!isSending) void answers.send(ready);
            }}
          >
            {texts.send}
          </button>
          <span class="key-hint" role="status">
            {texts.answered(ready.length, open.length)}
          </span>
          <MostChoices items={open} />
        </footer>
      )}
    </section>
  );
}

/** Shows the first question when the form is higher than the place of the chat, which follows its end otherwise. */
function useTopInView(card: { readonly current: HTMLElement | null }, count: number): void {
  useLayoutEffect(() => {
    // After the chat has moved to its end for the new question.
    const frame = requestAnimationFrame(() => {
      const { current } = card;
      const room = current?.closest('.transcript')?.clientHeight ?? 0;
      if (current && current.dataset['status'] === 'pending' && current.offsetHeight > room) current.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [count]);
}

/** Says how the keys choose, when a question has choices. */
function MostChoices({ items }: { items: readonly ClarifyItem[] }) {
  const texts = questionFormTexts[useLocale()];
  const most = Math.max(...items.map(({ choices = [] }) => choices.length));
  return most > 1 ? <span class="key-hint keys">{texts.keys(most)}</span> : null;
}
