import { useState } from 'preact/hooks';
import type { SessionSummary } from '../api/rest_types';
import type { ChatController } from '../chat/chat_controller';
import { formatWhen } from '../i18n/format';
import { useLocale, useMessages } from '../i18n/language_context';
import { useStore } from '../state/store';
import { ConfirmDialog } from './confirm_dialog';
import { Icon } from './icon';
import { Logo } from './logo';
import { memo } from './memo';
import { RenameField } from './rename_field';

interface SessionListProps {
  controller: ChatController;
  /** True on narrow screens: the list lies over the page as a dialog. */
  isDrawer: boolean;
}

export const SessionList = memo(({ controller, isDrawer }: SessionListProps) => {
  const messages = useMessages();
  const { store } = controller;
  const sessions = useStore(store, state => state.sessions);
  const cursor = useStore(store, state => state.sessionsCursor);
  const loaded = useStore(store, state => state.sessionsLoaded);
  const currentId = useStore(store, state => state.sessionId);
  const [removing, setRemoving] = useState<SessionSummary>();
  const choose = (id: string | undefined) => {
    controller.open(id);
    controller.setDrawerOpen(false);
  };
  const waitingIds = useStore(store, state => state.waitingSessionIds);
  const isUnsandboxed = useStore(store, state => state.info?.sandbox?.kind === 'none');
  const dialog = isDrawer ? ({ role: 'dialog', 'aria-modal': true, 'aria-label': messages.sessions } as const) : {};
  return (
    <div class="sessions" data-testid="session-list" {...dialog}>
      <nav class="session-nav" aria-label={messages.sessions}>
        <div class="brand">
          <Logo />
          <span>{messages.appName}</span>
          <button
            type="button"
            class="icon-button drawer-close"
            aria-label={messages.closeSessions}
            onClick={() => controller.setDrawerOpen(false)}
          >
            <Icon name="close" />
          </button>
        </div>
        <button type="button" class="button new-chat" data-testid="new-chat" onClick={() => choose(undefined)}>
          <Icon name="plus" />
          {messages.newChat}
        </button>
        <div class="session-scroller">
          <ul>
            {sessions.map(session => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.id === currentId}
                isWaiting={waitingIds.includes(session.id)}
                onOpen={() => choose(session.id)}
                onRename={title => void controller.sessions.rename(session.id, title)}
                onRemove={() => setRemoving(session)}
              />
            ))}
          </ul>
          {loaded && sessions.length === 0 && <p class="sessions-empty">{messages.noSessions}</p>}
          {cursor && (
            <button type="button" class="link-button" onClick={() => void controller.sessions.loadMore()}>
              {messages.showMore}
            </button>
          )}
        </div>
        {isUnsandboxed && (
          <p class="rail-note" title={messages.noSandboxExplanation} data-testid="rail-no-sandbox">
            <Icon name="shield" />
            {messages.noSandbox}
          </p>
        )}
        <a class="docs-link" href="/docs">
          {messages.apiReference}
        </a>
      </nav>
      {removing && (
        <ConfirmDialog
          title={messages.removeQuestion}
          text={messages.removeExplanation(removing.title || messages.untitled)}
          action={messages.remove}
          onConfirm={() => {
            setRemoving(undefined);
            void controller.remove(removing.id);
          }}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
});

interface SessionRowProps {
  session: SessionSummary;
  isCurrent: boolean;
  /** Its agent waits for an answer. */
  isWaiting: boolean;
  onOpen: () => void;
  onRename: (title: string) => void;
  onRemove: () => void;
}

function SessionRow({ session, isCurrent, isWaiting, onOpen, onRename, onRemove }: SessionRowProps) {
  const messages = useMessages();
  const locale = useLocale();
  const [renaming, setRenaming] = useState(false);
  const title = session.title || messages.untitled;
  if (renaming) {
    return (
      <li class="session-row">
        <RenameField
          title={session.title}
          onDone={next => {
            setRenaming(false);
            if (next && next !== session.title) onRename(next);
          }}
        />
      </li>
    );
  }
  return (
    <li class={isCurrent ? 'session-row current' : 'session-row'} data-testid="session-row" data-session-id={session.id}>
      <a
        href={`/?session=${encodeURIComponent(session.id)}`}
        class="session-link"
        aria-current={isCurrent ? 'page' : undefined}
        title={title}
        onClick={event => {
          // A click with a modifier opens a tab, as links do.
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onOpen();
        }}
      >
        <span class="session-title">{title}</span>
        {isWaiting && (
          <span class="waiting-dot" title={messages.questionNeedsYou} data-testid="waiting-dot">
            <span class="visually-hidden">{messages.questionNeedsYou}</span>
          </span>
        )}
        <time dateTime={session.updatedAt}>{formatWhen(session.updatedAt, new Date(), locale)}</time>
      </a>
      <span class="session-actions">
        <button
          type="button"
          class="icon-button small"
          aria-label={`${messages.rename}: ${title}`}
          title={messages.rename}
          data-testid="rename-session"
          onClick={() => setRenaming(true)}
        >
          <Icon name="pencil" />
        </button>
        <button
          type="button"
          class="icon-button small"
          aria-label={`${messages.remove}: ${title}`}
          title={messages.remove}
          data-testid="delete-session"
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}
