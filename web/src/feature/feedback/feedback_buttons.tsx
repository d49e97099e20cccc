import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunFeedback } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { giveFeedback, loadFeedback } from './feedback_actions';
import { feedbackTexts } from './feedback_texts';
import { ReasonForm } from './reason_form';
import './feedback.css';

interface FeedbackButtonsProps {
  runId: string;
  controller: ChatController;
}

/** Rates an answer. A bad rating opens a field for a sentence; the same button takes a rating back. */
export function FeedbackButtons({ runId, controller }: FeedbackButtonsProps) {
  const texts = feedbackTexts[useLocale()];
  const sessionId = useStore(controller.store, state => state.sessionId);
  const given = useStore(controller.store, state => state.feedback?.byRun[runId]);
  const [isAsking, setAsking] = useState(false);
  const request = useRef<Promise<void>>();
  const down = useRef<HTMLButtonElement>(null);
  useEffect(() => void loadFeedback(controller), [sessionId]);
  const give = (feedback: RunFeedback | undefined) => {
    const stored = giveFeedback(controller, runId, feedback, Promise.resolve(request.current));
    request.current = stored.then(isStored => (isStored ? undefined : controller.notify(texts.failed)));
  };
  const press = (rating: RunFeedback['rating']) => {
    const isTakenBack = given?.rating === rating;
    setAsking(rating === 'down' && !isTakenBack);
    give(isTakenBack ? undefined : { rating });
  };
  const close = () => {
    setAsking(false);
    down.current?.focus();
  };
  return (
    <>
      <RatingButton rating="up" label={texts.up} given={given} onPress={press} />
      <RatingButton rating="down" label={texts.down} given={given} onPress={press} button={down} />
      {given?.rating === 'down' && !isAsking && (
        <button type="button" class="link-button" data-testid="say-why" onClick={() => setAsking(true)}>
          {given.text ? texts.change : texts.say}
        </button>
      )}
      {isAsking && (
        <ReasonForm
          text={given?.text ?? ''}
          onClose={close}
          onSend={text => {
            close();
            give({ rating: 'down', text: text || undefined });
          }}
        />
      )}
    </>
  );
}

interface RatingButtonProps {
  rating: RunFeedback['rating'];
  label: string;
  given: RunFeedback | undefined;
  onPress: (rating: RunFeedback['rating']) => void;
  button?: preact.RefObject<HTMLButtonElement>;
}

function RatingButton({ rating, label, given, onPress, button }: RatingButtonProps) {
  return (
    <button
      type="button"
      ref={button}
      class={`icon-button small rate-${rating}`}
      title={label}
      aria-label={label}
      aria-pressed={given?.rating === rating}
      data-testid={`rate-${rating}`}
      onClick={() => onPress(rating)}
    >
      <Icon name="thumb" />
    </button>
  );
}
