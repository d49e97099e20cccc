import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ChatController } from '../chat/chat_controller';
import { LanguageContext } from '../i18n/language_context';
import { messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../state/store';
import { findActiveTurn } from '../state/view_types';
import { Announcer } from './announcer';
import { Composer } from './composer';
import { ConnectionBanner } from './connection_banner';
import { NoticeToast } from './notice_toast';
import { PlanPanel } from './plan_panel';
import { SessionList } from './session_list';
import { TopBar } from './top_bar';
import { Transcript } from './transcript';

interface ChatAppProps {
  controller: ChatController;
  preferences: Store<Preferences>;
}

export function ChatApp({ controller, preferences }: ChatAppProps) {
  const locale = useStore(preferences, state => state.locale);
  const messages = messagesFor(locale);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const closeDrawer = useCallback(() => setDrawerOpen(false), []);
  const openDrawer = useCallback(() => setDrawerOpen(true), []);
  useDrawerFocus(isDrawerOpen);
  useDocumentTitle(controller, messages.appName, messages.questionNeedsYou);
  useEscape(controller, isDrawerOpen, closeDrawer);
  return (
    <LanguageContext.Provider value={locale}>
      <a class="skip-link" href="#composer">
        {messages.skipToComposer}
      </a>
      <div class={isDrawerOpen ? 'app drawer-shown' : 'app'}>
        <SessionList controller={controller} onDone={closeDrawer} />
        {/* The list has its own close button and Escape; this is only the larger target for a finger. */}
        <div class="drawer-shade" aria-hidden="true" onClick={closeDrawer} />
        <main class="chat">
          <TopBar controller={controller} preferences={preferences} isDrawerOpen={isDrawerOpen} onOpenDrawer={openDrawer} />
          <ConnectionBanner controller={controller} />
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

/** The tab says which chat it is, and that somebody is waited for. */
function useDocumentTitle(controller: ChatController, appName: string, needsYou: string): void {
  const title = useStore(controller.store, state => state.sessions.find(session => session.id === state.sessionId)?.title);
  const isAsking = useStore(controller.store, state => findActiveTurn(state.view)?.state === 'waiting');
  useEffect(() => {
    document.title = [isAsking ? `● ${needsYou}` : undefined, title, appName].filter(Boolean).join(' · ');
  }, [title, isAsking, appName, needsYou]);
}

/** The focus follows the drawer in and out. */
function useDrawerFocus(isDrawerOpen: boolean): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isDrawerOpen) document.querySelector<HTMLElement>('.new-chat')?.focus();
    else if (wasOpen.current) document.querySelector<HTMLElement>('.drawer-open')?.focus();
    wasOpen.current = isDrawerOpen;
  }, [isDrawerOpen]);
}

/** Escape closes what is open, else it stops the agent. */
function useEscape(controller: ChatController, isDrawerOpen: boolean, closeDrawer: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || document.querySelector('dialog[open]')) return;
      if (isDrawerOpen) return closeDrawer();
      const runId = findActiveTurn(controller.store.get().view)?.runId;
      if (runId) void controller.stop(runId);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [controller, isDrawerOpen, closeDrawer]);
}
