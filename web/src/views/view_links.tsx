import type { ChatController } from '../chat/chat_controller';
import { Icon } from '../components/basic/icon';
import { useMessages } from '../i18n/language_context';
import { onPlainClick } from '../platform/plain_click';
import { useStore } from '../platform/store';
import { viewHref } from '../platform/view_url';
import { VIEWS } from './view_registry';

/** Links to the views, below the list of chats. */
export function ViewLinks({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const current = useStore(controller.store, state => state.openView?.name);
  return (
    <ul class="view-links" aria-label={messages.views}>
      {VIEWS.filter(({ isInTopBar }) => !isInTopBar).map(({ name }) => (
        <li key={name}>
          <a
            href={viewHref({ name })}
            class={name === current ? 'view-link current' : 'view-link'}
            aria-current={name === current ? 'page' : undefined}
            data-testid={`open-${name}`}
            onClick={onPlainClick(() => {
              controller.openView({ name });
              controller.setDrawerOpen(false);
            })}
          >
            <Icon name={name} />
            {messages.viewTitles[name]}
          </a>
        </li>
      ))}
    </ul>
  );
}
