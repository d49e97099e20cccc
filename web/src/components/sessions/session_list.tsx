import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { IS_MAC } from '../../platform/is_mac';
import { ROOT } from '../../platform/root';
import { useStore } from '../../platform/store';
import { ViewLinks } from '../../views/view_links';
import { Icon } from '../basic/icon';
import { lazy } from '../basic/lazy';
import { Logo } from '../basic/logo';
import { memo } from '../basic/memo';
import { RemoveDialog } from './remove_dialog';
import { SessionRows } from './session_rows';

interface SessionListProps {
  controller: ChatController;
  /** True on narrow screens: the list lies over the page as a dialog. */
  isDrawer: boolean;
}

/** Shows the list of chats, with a button for a new one. */
export const SessionList = memo(({ controller, isDrawer }: SessionListProps) => {
  const messages = useMessages();
  const [removing, setRemoving] = useState<SessionSummary>();
  const openSession = (id: string | undefined) => {
    controller.open(id);
    controller.setDrawerOpen(false);
  };
  const dialog = isDrawer ? ({ role: 'dialog', 'aria-modal': true, 'aria-label': messages.sessions } as const) : {};
  return (
    <div class="sessions" data-testid="session-list" {...dialog}>
      <nav class="session-nav" aria-label={messages.sessions}>
        <Brand onClose={() => controller.setDrawerOpen(false)} />
        <button type="button" class="button new-chat" data-testid="new-chat" onClick={() => openSession(undefined)}>
          <Icon name="plus" />
          {messages.newChat}
        </button>
        <SearchButton controller={controller} />
        <SessionRows controller={controller} onOpen={openSession} onRemove={setRemoving} />
        <ViewLinks controller={controller} />
        <SandboxNote controller={controller} />
        <div class="page-links">
          <Operations controller={controller} />
          <a class="view-link docs-link" href={`${ROOT}docs`}>
            <Icon name="docs" />
            {messages.apiReference}
          </a>
        </div>
        <Account controller={controller} />
      </nav>
      {removing && <RemoveDialog controller={controller} sessions={[removing]} onClose={() => setRemoving(undefined)} />}
    </div>
  );
});

const AccountPart = lazy(async () => (await import('../../auth/account_part')).AccountPart);

function Account({ controller }: { controller: ChatController }) {
  const loginRequired = useStore(controller.store, state => state.me?.loginRequired === true);
  return loginRequired ? <AccountPart controller={controller} /> : null;
}

const OperationsPart = lazy(async () => (await import('./operations_part')).OperationsPart);

function Operations({ controller }: { controller: ChatController }) {
  const maySee = useStore(controller.store, state => state.me?.scopes.includes('ops:read') === true);
  return maySee ? <OperationsPart /> : null;
}

function Brand({ onClose }: { onClose: () => void }) {
  const messages = useMessages();
  return (
    <div class="brand">
      <Logo />
      <span>{messages.appName}</span>
      <button type="button" class="icon-button drawer-close" aria-label={messages.closeSessions} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function SearchButton({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  return (
    <button type="button" class="search-button" data-testid="open-search" onClick={() => controller.setSearchOpen(true)}>
      <Icon name="search" />
      {messages.searchChats}
      <kbd class="key-hint">{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

function SandboxNote({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const isUnsandboxed = useStore(controller.store, state => state.info?.sandbox?.kind === 'none');
  if (!isUnsandboxed) return null;
  return (
    <p class="rail-note" title={messages.noSandboxExplanation} data-testid="rail-no-sandbox">
      <Icon name="shield" />
      {messages.noSandbox}
    </p>
  );
}
