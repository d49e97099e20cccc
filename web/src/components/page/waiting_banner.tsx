import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import type { AppState } from '../../state/app_state';
import { Icon } from '../basic/icon';

/** Links to a chat that is not visible and in which the agent waits for an answer. */
export function WaitingBanner({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const waitingId = useStore(controller.store, findHiddenWaiting);
  const title = useStore(controller.store, state => state.sessions.find(session => session.id === waitingId)?.title);
  return (
    <div role="status">
      {waitingId !== undefined && (
        <div class="banner" data-testid="waiting-banner">
          <Icon name="question" />
          <span>{messages.otherChatWaits(title || messages.untitled)}</span>
          <button type="button" class="link-button" onClick={() => controller.open(waitingId)}>
            {messages.openChat}
          </button>
        </div>
      )}
    </div>
  );
}

/** The chat behind a view is hidden too. */
function findHiddenWaiting({ waitingSessionIds, sessionId, openView }: AppState): string | undefined {
  return waitingSessionIds.find(id => id !== sessionId || openView !== undefined);
}
