import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ChatController } from '../chat/chat_controller';
import { listenForShortcuts } from '../chat/keyboard_shortcuts';
import { LanguageContext } from '../i18n/language_context';
import { messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { isAnyWaiting } from '../state/app_state';
import { type Store, useStore } from '../state/store';
import { Announcer } from './announcer';
import { Composer } from './composer';
import { ConnectionBanner } from './connection_banner';
import { NoticeToast } from './notice_toast';
import { PlanPanel } from './plan_panel';
import { SessionList } from './session_list';
import { TopBar } from './top_bar';
import { Transcript } from './transcript';
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
  useLayoutEffect(() => listenForShortcuts(controller), [controller]);
  useDocumentTitle(controller, messages.appName, messages.questionNeedsYou);
  return (
    <LanguageContext.Provider value={locale}>
      <a class="skip-link" href="#composer" inert={isDrawerOpen}>
        {messages.skipToComposer}
      </a>
      <div class={isDrawerOpen ? 'app drawer-shown' : 'app'}>
        <SessionList controller={controller} isDrawer={isDrawerOpen} />
        {/* The list has its own close button and Escape; this is only the larger target for a finger. */}
        <div class="drawer-shade" aria-hidden="true" onClick={() => controller.setDrawerOpen(false)} />
        <main class="chat" inert={isDrawerOpen}>
          <TopBar controller={controller} preferences={preferences} isDrawerOpen={isDrawerOpen} />
          <ConnectionBanner controller={controller} />
          <WaitingBanner controller={controller} />
          <div class="chat-body">
            <Transcript controller={controller} />
            <PlanPanel store={controller.store} />
            <Composer controller={controller} />
          </div>
        </main>
      </div>
      <Announcer store={controller.store} />
      <NoticeToast controller={controller} />
    </LanguageContext.Provider>
  );
}

/** Sets the title of the tab: the chat, and whether the agent waits for an answer in any chat. */
function useDocumentTitle(controller: ChatController, appName: string, needsYou: string): void {
  const title = useStore(controller.store, state => state.sessions.find(session => session.id === state.sessionId)?.title);
  const isAsking = useStore(controller.store, isAnyWaiting);
  useEffect(() => {
    document.title = [isAsking ? `● ${needsYou}` : undefined, title, appName].filter(Boolean).join(' · ');
  }, [title, isAsking, appName, needsYou]);
}
