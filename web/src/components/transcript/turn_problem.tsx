import type { ChatController } from '../../chat/chat_controller';
import { formatMinute } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import type { Turn } from '../../state/view_types';
import { CopyButton } from '../basic/copy_button';
import { Icon } from '../basic/icon';
import { focusComposer } from '../questions/use_asking_card';

interface TurnProblemProps {
  turn: Turn;
  /** True for the last turn, which offers the next steps. */
  isLast: boolean;
  controller: ChatController;
}

/** Says why a message was not sent or a run failed, with details for the operator. */
export function TurnError({ turn, isLast, controller }: TurnProblemProps) {
  const messages = useMessages();
  const locale = useLocale();
  if (turn.state !== 'failed' && turn.state !== 'unsent') return null;
  const { error, runId } = turn;
  const isUnsent = turn.state === 'unsent';
  const facts = [error?.code, runId].filter(Boolean).join(' · ');
  return (
    <div class="turn-error" role="alert" data-testid="run-error">
      <Icon name="alert" />
      <div>
        <strong>{isUnsent ? messages.notSent : titleOf(error?.code, messages)}</strong>
        {error && <p>{messages.unsentReasons[error.code] ?? error.message}</p>}
        {error?.resetsAt && <p data-testid="quota-reset">{messages.quotaUntil(formatMinute(error.resetsAt, locale))}</p>}
        {facts && (
          <p class="error-facts">
            <span data-testid="error-facts">{facts}</span>
            <CopyButton text={() => [facts, error?.message].join('\n')} label={messages.copyReport} />
          </p>
        )}
      </div>
      {(isLast || isUnsent) && <NextStep turn={turn} controller={controller} />}
    </div>
  );
}

/** Offers a retry where it may help; otherwise puts the message back into the field for editing. */
function NextStep({ turn, controller }: Pick<TurnProblemProps, 'turn' | 'controller'>) {
  const messages = useMessages();
  // A failed run is answered again in a branch.
  const mayRetry = useScope('branch') || turn.state === 'unsent';
  if (!useScope('chat')) return null;
  if (mayRetry && turn.error?.retryable !== false) {
    return (
      <button type="button" class="button" data-testid="retry" onClick={() => controller.retry(turn)}>
        <Icon name="retry" />
        {turn.state === 'unsent' ? messages.sendAgain : messages.retry}
      </button>
    );
  }
  return (
    <button
      type="button"
      class="button"
      data-testid="edit-message"
      onClick={() => {
        const written = controller.store.get().draft.text;
        controller.setDraft({ text: [written, turn.input].filter(Boolean).join('\n\n') });
        if (turn.images) void controller.images.attachAgain(turn.images);
        focusComposer();
      }}
    >
      <Icon name="pencil" />
      {messages.editMessage}
    </button>
  );
}

function titleOf(code: string | undefined, messages: ReturnType<typeof useMessages>): string {
  return messages.errorTitles[code ?? ''] ?? messages.runFailed;
}

/** Names the limit that ended the run before the agent was done, and what the model server said when it broke off. */
export function TurnCut({ turn, isLast, controller }: TurnProblemProps) {
  const messages = useMessages();
  const canChat = useScope('chat');
  if (turn.state !== 'incomplete') return null;
  const { reason, error } = turn;
  return (
    <div class="turn-cut" role="status" data-testid="run-cut" data-reason={reason}>
      <Icon name="alert" />
      <div>
        <span>{reason ? messages.runCut[reason] : messages.runIncomplete}</span>
        {reason === 'model_cut' && error && <p data-testid="cut-error">{error.message}</p>}
      </div>
      {/* No retry: a filter would stop the answer again. */}
      {isLast && canChat && reason !== 'content_filter' && (
        <button type="button" class="button" data-testid="continue" onClick={() => controller.send(messages.continueRequest)}>
          {messages.continueRun}
        </button>
      )}
    </div>
  );
}
