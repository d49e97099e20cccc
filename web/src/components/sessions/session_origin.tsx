import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { messageUrl } from '../../platform/session_url';
import { useStore } from '../../platform/store';
import { viewHref } from '../../platform/view_url';
import { findOrigin } from '../../state/app_state';
import { Icon } from '../basic/icon';

/** Says that the chat is temporary, or what made it when it was not a person, with a link there. */
export function SessionOrigin({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const parentId = useStore(controller.store, state => findOrigin(state)?.parentSessionId);
  const isTemporary = useStore(controller.store, state => state.isTemporary);
  const jobId = useStore(controller.store, state => findOrigin(state)?.jobId);
  if (isTemporary) {
    return (
      <p class="session-origin temporary" data-testid="temporary-mark">
        <Icon name="clock" />
        <strong>{messages.temporaryChat}</strong>
        <span>{messages.temporaryExplanation}</span>
      </p>
    );
  }
  if (parentId !== undefined) {
    return (
      <p class="session-origin" data-testid="session-origin">
        <Icon name="crew" />
        {messages.partOfTask}
        <OriginLink href={messageUrl(parentId)} text={messages.backToParent} onOpen={() => controller.open(parentId)} />
      </p>
    );
  }
  if (jobId === undefined) return null;
  const job = { name: 'jobs', item: jobId };
  return (
    <p class="session-origin" data-testid="session-origin">
      <Icon name="jobs" />
      {messages.madeByJob}
      <OriginLink href={viewHref(job)} text={messages.showJob} onOpen={() => controller.openView(job)} />
    </p>
  );
}

function OriginLink({ href, text, onOpen }: { href: string; text: string; onOpen: () => void }) {
  return (
    <a href={href} onClick={onPlainClick(onOpen)}>
      {text}
    </a>
  );
}
