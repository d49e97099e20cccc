import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useScope } from '../../state/scope_context';
import { type ClarifyItem, findQuestion } from '../../state/view_types';
import { Icon } from '../basic/icon';
import { findLateQuestion } from './late_answer';

interface ComposerPurposeProps {
  controller: ChatController;
  question: ClarifyItem | undefined;
  isAnswer: boolean;
  field: { readonly current: HTMLTextAreaElement | null };
}

/** Says whether the text in the message field becomes an answer or a message while a question waits, and offers to switch. */
export function ComposerPurpose({ controller, question, isAnswer, field }: ComposerPurposeProps) {
  const messages = useMessages();
  const canChat = useScope('chat');
  const draft = useStore(controller.store, state => state.draft);
  const isClosedNow = useStore(controller.store, state => draft.target !== undefined && isClosed(state.view, draft.target));
  const late = useStore(controller.store, state => findLateQuestion(draft, state.view));
  const turnInto = (target: string) => {
    controller.setDraft({ text: draft.text, target });
    field.current?.focus({ preventScroll: true });
  };
  if (!question) {
    return (
      <div role="status">
        {(late !== undefined || (isClosedNow && draft.text !== '')) && (
          <p class="composer-purpose" data-testid="late-answer">
            <Icon name="clock" />
            <span>{late ? messages.answeringLate(toLine(late.question)) : messages.answerTooLate}</span>
          </p>
        )}
      </div>
    );
  }
  return (
    <p class="composer-purpose asking" data-testid="composer-purpose" data-purpose={isAnswer ? 'answer' : 'message'}>
      <Icon name="question" />
      <span class="what">{isAnswer ? messages.answering(toLine(question.question)) : messages.questionNeedsYou}</span>
      {canChat && (
        <button type="button" class="link-button" onClick={() => turnInto(isAnswer ? 'message' : question.requestId)}>
          {isAnswer ? messages.sendAsMessage : messages.answerInstead}
        </button>
      )}
    </p>
  );
}

function isClosed(view: Parameters<typeof findQuestion>[0], requestId: string): boolean {
  const question = findQuestion(view, requestId);
  return question !== undefined && question.status !== 'pending';
}

/** Shortens a question, which may have several lines, to what a person needs to recognise it. */
const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
