import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { invitationToken } from '../../auth/invitation_token';
import { SecondFactorPart } from '../../auth/second_factor_part';
import type { ChatController } from '../../chat/chat_controller';
import { followFileLinks } from '../../chat/follow_file_links';
import { listenForShortcuts } from '../../chat/keyboard_shortcuts';
import { LanguageContext } from '../../i18n/language_context';
import { type Messages, messagesFor } from '../../i18n/messages';
import type { Preferences } from '../../platform/preferences';
import { type Store, useStore } from '../../platform/store';
import { findTitle, isAnyWaiting } from '../../state/app_state';
import { isPerson } from '../../state/chat_people';
import { permissionsOf, ScopeContext } from '../../state/scope_context';
import { lazy } from '../basic/lazy';
import { NoticeToast } from '../basic/notice_toast';
import { SessionList } from '../sessions/session_list';
import { Announcer } from './announcer';
import { ChatStage, Gateway, useOpenView } from './chat_parts';
import { ConnectionBanner } from './connection_banner';
import { TopBar } from './top_bar';
import { useDrawer } from './use_drawer';
import { WaitingBanner } from './waiting_banner';

interface ChatAppProps {
  controller: ChatController;
  preferences: Store<Preferences>;
}

export function ChatApp({ controller, preferences }: ChatAppProps) {
  const locale = useStore(preferences, state => state.locale);
  const messages = messagesFor(locale);
  const isDrawerOpen = useDrawer(controller);
  const view = useOpenView(controller);
  useLayoutEffect(() => listenForShortcuts(controller), [controller]);
  useLayoutEffect(() => followFileLinks(controller), [controller]);
  useDocumentTitle(controller, messages, view && messages.viewTitles[view.name]);
  const me = useStore(controller.store, state => state.me);
  const permissions = useMemo(() => permissionsOf(me), [me]);
  return (
    <LanguageContext.Provider value={locale}>
      <ScopeContext.Provider value={permissions}>
        <a class="skip-link" href={view ? '#view-heading' : '#composer'} inert={isDrawerOpen}>
          {view ? messages.skipToView : messages.skipToComposer}
        </a>
        <div class={isDrawerOpen ? 'app drawer-shown' : 'app'}>
          <SessionList controller={controller} isDrawer={isDrawerOpen} />
          {/* The list has its own close button and Escape; this is only the larger target for a finger. */}
          <div class="drawer-shade" aria-hidden="true" onClick={() => controller.setDrawerOpen(false)} />
          <main class="chat" inert={isDrawerOpen}>
            <TopBar controller={controller} preferences={preferences} isDrawerOpen={isDrawerOpen} isBehindView={view !== undefined} />
            <ConnectionBanner controller={controller} />
            <KeptChat controller={controller} />
            <Gateway controller={controller} />
            <WaitingBanner controller={controller} />
            <Asked controller={controller} />
            <ChatStage controller={controller} view={view} />
          </main>
        </div>
        <Announcer store={controller.store} />
        <NoticeToast controller={controller} />
        <Search controller={controller} preferences={preferences} />
        <Sheet controller={controller} />
        <PromptPart controller={controller} />
        <LoginPart controller={controller} preferences={preferences} />
      </ScopeContext.Provider>
    </LanguageContext.Provider>
  );
}

const KeptChatNote = lazy(async () => (await import('../../offline/kept_notes')).KeptChatNote);

function KeptChat({ controller }: { controller: ChatController }) {
  const isKept = useStore(controller.store, state => state.phase === 'kept');
  return isKept ? <KeptChatNote store={controller.store} /> : null;
}

const LoginCard = lazy(async () => (await import('../../auth/login_card')).LoginCard);

function LoginPart({ controller, preferences }: ChatAppProps) {
  const isNeeded = useStore(controller.store, state => state.isLoginNeeded);
  // Whoever opens an invitation sees it, also where no login is needed yet.
  const Part = isNeeded || invitationToken() !== undefined ? LoginCard : SecondFactorPart;
  return <Part controller={controller} preferences={preferences} />;
}

const AskedPart = lazy(async () => (await import('../../feature/asked/asked_part')).AskedPart);

/** Only people are asked about chats that they do not see. */
function Asked({ controller }: { controller: ChatController }) {
  return useStore(controller.store, isPerson) ? <AskedPart controller={controller} /> : null;
}

const SearchDialog = lazy(async () => (await import('../../feature/search/search_dialog')).SearchDialog);

function Search({ controller, preferences }: ChatAppProps) {
  const isOpen = useStore(controller.store, state => state.isSearchOpen);
  return isOpen ? <SearchDialog controller={controller} preferences={preferences} /> : null;
}

const ShortcutSheet = lazy(async () => (await import('./shortcut_sheet')).ShortcutSheet);

function Sheet({ controller }: { controller: ChatController }) {
  const isOpen = useStore(controller.store, state => state.isSheetOpen);
  return isOpen ? <ShortcutSheet controller={controller} /> : null;
}

const PromptDialog = lazy(async () => (await import('./prompt_dialog')).PromptDialog);

function PromptPart({ controller }: { controller: ChatController }) {
  const prompt = useStore(controller.store, state => state.openPrompt);
  return prompt ? <PromptDialog key={prompt.id} prompt={prompt} controller={controller} /> : null;
}

/** Sets the title of the tab: the view or the chat, and whether the agent waits for an answer in any chat. */
function useDocumentTitle(controller: ChatController, { appName, questionNeedsYou }: Messages, viewTitle: string | undefined): void {
  const chatTitle = useStore(controller.store, findTitle);
  const isAsking = useStore(controller.store, isAnyWaiting);
  const title = viewTitle ?? chatTitle;
  useEffect(() => {
    document.title = [isAsking ? `● ${questionNeedsYou}` : undefined, title, appName].filter(Boolean).join(' · ');
  }, [title, isAsking, appName, questionNeedsYou]);
}
