import { useState } from 'preact/hooks';
import { useMessages } from '../../i18n/language_context';
import { usePeople } from '../../state/people_context';
import type { ClarifyItem } from '../../state/view_types';
import { MarkdownView } from '../answer/markdown_view';
import { Icon } from '../basic/icon';
import { memo } from '../basic/memo';
import { ChoiceButtons, YouDecide } from './choice_buttons';
import { Countdown } from './countdown';
import { focusComposer, useAskingCard } from './use_asking_card';

export interface ClarifyCardProps {
  item: ClarifyItem;
  clockOffsetMs: number;
  onAnswer: (requestId: string, answer: string) => Promise<boolean>;
  onExtend: (requestId: string) => Promise<void>;
  /** Makes the text in the message field a late answer to an expired question. */
  onAnswerLate: (requestId: string) => void;
}

/** Shows a question of the agent with its choices. The message field takes an answer in the person's own words. */
export const ClarifyCard = memo((props: ClarifyCardProps) => {
  const messages = useMessages();
  const { item } = props;
  const { card, titleId, sawPending, isSettled } = useAskingCard(item.status);
  return (
    <section ref={card} class="clarify-card" tabIndex={-1} aria-labelledby={titleId} data-testid="clarify-card" data-status={item.status}>
      <header>
        <Icon name="question" />
        <span>{messages.question}</span>
        {item.status === 'pending' && <Countdown {...props} testIds="clarify" />}
      </header>
      <div class="clarify-question" id={titleId}>
        <MarkdownView text={item.question} done />
      </div>
      {item.to !== undefined && item.status === 'pending' && (
        <p class="clarify-hint" data-testid="clarify-asked">
          {messages.askedOf(item.to, item.escalate?.to)}
        </p>
      )}
      {item.status === 'pending' ? (
        <Choices {...props} isSettled={isSettled} />
      ) : (
        <Outcome item={item} sawPending={sawPending} onAnswerLate={props.onAnswerLate} />
      )}
    </section>
  );
});

function Choices({ item, isSettled, onAnswer }: ClarifyCardProps & { isSettled: boolean }) {
  const messages = useMessages();
  const { submit, sending, failed } = useAnswering(item.requestId, onAnswer);
  const choices = item.choices ?? [];
  // The message field says why a watcher answers nothing.
  if (usePeople().part === 'watcher') return null;
  return (
    <>
      <ChoiceButtons
        choices={choices}
        hasShortcut={isSettled}
        isSending={sending !== undefined}
        sending={sending}
        onChoose={choice => void submit(choice)}
      />
      <p class="clarify-hint">
        <button type="button" class="link-button" data-testid="clarify-write" onClick={focusComposer}>
          {choices.length > 0 ? messages.writeOtherAnswer : messages.writeAnswer}
        </button>
        <YouDecide onChoose={answer => void submit(answer)} />
        {choices.length > 0 && <span class="key-hint">{messages.choiceKeys(choices.length)}</span>}
      </p>
      {failed && (
        <p class="form-error" role="alert">
          {messages.requestFailed}
        </p>
      )}
    </>
  );
}

/** Sends an answer; `sending` holds it until the gateway has acknowledged it. */
function useAnswering(requestId: string, onAnswer: ClarifyCardProps['onAnswer']) {
  const [sending, setSending] = useState<string>();
  const [failed, setFailed] = useState(false);
  const submit = async (answer: string) => {
    if (sending !== undefined) return;
    setSending(answer);
    setFailed(false);
    try {
      await onAnswer(requestId, answer);
    } catch {
      setFailed(true);
      setSending(undefined);
    }
  };
  return { submit, sending, failed };
}

/** Says how a question ended. */
export function Outcome({ item, sawPending, onAnswerLate }: Pick<ClarifyCardProps, 'item' | 'onAnswerLate'> & { sawPending: boolean }) {
  const messages = useMessages();
  const { own, nameOf } = usePeople();
  if (item.status !== 'answered') {
    return (
      <p class="clarify-outcome">
        {item.status === 'expired' ? messages.questionExpired : messages.questionCancelled}{' '}
        {item.status === 'expired' && (
          <button type="button" class="link-button" data-testid="answer-anyway" onClick={() => onAnswerLate(item.requestId)}>
            {messages.answerAnyway}
          </button>
        )}
      </p>
    );
  }
  return (
    <p class="clarify-outcome answered" data-testid="clarify-answer">
      <Icon name="check" />
      <span class="who">
        {item.mine
          ? messages.answeredByYou
          : item.by !== undefined && item.by !== own
            ? messages.answeredBy(nameOf(item.by))
            : sawPending
              ? messages.answeredElsewhere
              : messages.answered}
      </span>
      <strong>{item.answer}</strong>
    </p>
  );
}
