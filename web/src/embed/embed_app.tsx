import { useEffect, useLayoutEffect } from 'preact/hooks';
import { SCOPES, type Scope } from '../../../src/port/principal';
import type { ChatController } from '../chat/chat_controller';
import { followFileLinks } from '../chat/follow_file_links';
import { listenForShortcuts } from '../chat/keyboard_shortcuts';
import { Icon } from '../components/basic/icon';
import { lazy } from '../components/basic/lazy';
import { NoticeToast } from '../components/basic/notice_toast';
import { PreferenceControls } from '../components/basic/preference_controls';
import { Announcer } from '../components/page/announcer';
import { ChatStage, Gateway, useOpenView } from '../components/page/chat_parts';
import { ConnectionBanner } from '../components/page/connection_banner';
import { LanguageContext, useMessages } from '../i18n/language_context';
import type { Preferences } from '../platform/preferences';
import { type Store, useStore } from '../platform/store';
import { ScopeContext, withChat } from '../state/scope_context';
import { embedTexts } from './embed_texts';
import type { HostLink } from './host_link';

/** What the page around decides. */
export interface Surroundings {
  title: string;
  isPanel: boolean;
  /** The person may start no other chat. */
  isOnlyChat?: boolean;
}

interface EmbedAppProps {
  controller: ChatController;
  preferences: Store<Preferences>;
  surroundings: Store<Surroundings>;
  host: HostLink;
}

/** One chat in a frame: the parts of the chat page without the list of chats, the choices of models and the links for operators. */
export function EmbedApp({ controller, preferences, surroundings, host }: EmbedAppProps) {
  const locale = useStore(preferences, state => state.locale);
  const view = useOpenView(controller);
  const title = useStore(surroundings, state => state.title) || embedTexts[locale].title;
  const isLoginNeeded = useStore(controller.store, state => state.isLoginNeeded);
  const me = useStore(controller.store, state => state.me);
  const scopes = me?.loginRequired || me?.guestOf ? me.scopes : SCOPES;
  const close = () => host.tell({ type: 'close' });
  useLayoutEffect(() => {
    const onEscape = () => {
      if (surroundings.get().isPanel) close();
      return surroundings.get().isPanel;
    };
    return listenForShortcuts(controller, { onEscape });
  }, [controller]);
  useLayoutEffect(() => followFileLinks(controller), [controller]);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <LanguageContext.Provider value={locale}>
      <ScopeContext.Provider value={withChat(scopes.filter(isForChats), me)}>
        <main class="chat embedded">
          <EmbedHeader
            controller={controller}
            preferences={preferences}
            surroundings={surroundings}
            title={title}
            isBehindView={view !== undefined}
            onClose={close}
          />
          {/* Hidden and not removed: after the login the chat goes on as it was. */}
          <div class="embedded-stage" hidden={isLoginNeeded}>
            <ConnectionBanner controller={controller} />
            <Gateway controller={controller} />
            <ChatStage controller={controller} view={view} />
          </div>
          {isLoginNeeded && (
            <div class="embedded-login">
              <LoginPart controller={controller} />
            </div>
          )}
        </main>
        <Announcer store={controller.store} />
        <NoticeToast controller={controller} />
      </ScopeContext.Provider>
    </LanguageContext.Provider>
  );
}

const isForChats = (scope: Scope): boolean => scope !== 'admin' && !scope.startsWith('ops:');

/** A dialog would hide the button that closes the panel, and take the focus from the page around. */
const LoginPart = lazy(async () => (await import('../auth/login_card')).LoginPart);

interface EmbedHeaderProps extends Pick<EmbedAppProps, 'controller' | 'preferences' | 'surroundings'> {
  title: string;
  isBehindView: boolean;
  onClose: () => void;
}

function EmbedHeader({ controller, preferences, surroundings, title, isBehindView, onClose }: EmbedHeaderProps) {
  const messages = useMessages();
  const isPanel = useStore(surroundings, state => state.isPanel);
  const isOnlyChat = useStore(surroundings, state => state.isOnlyChat);
  const isNew = useStore(controller.store, ({ sessionId, view }) => sessionId === undefined && view.turns.length === 0);
  const isLoginNeeded = useStore(controller.store, state => state.isLoginNeeded);
  return (
    <header class="top-bar">
      {isBehindView ? (
        <button type="button" class="back-button" data-testid="back-to-chat" onClick={() => controller.openView(undefined)}>
          <Icon name="back" />
          {messages.backToChat}
        </button>
      ) : (
        <>
          <h1 class="chat-title" tabIndex={-1} data-testid="chat-title">
            {title}
          </h1>
          {/* A page around this one decides, and this one has no settings. */}
          {isOnlyChat && <PreferenceControls preferences={preferences} />}
          {!isOnlyChat && (
            <button
              type="button"
              class="icon-button"
              aria-label={messages.newChat}
              title={messages.newChat}
              disabled={isNew || isLoginNeeded}
              data-testid="new-chat"
              onClick={() => controller.open(undefined)}
            >
              <Icon name="plus" />
            </button>
          )}
        </>
      )}
      {isPanel && (
        <button
          type="button"
          class="icon-button"
          aria-label={messages.close}
          title={messages.close}
          data-testid="close-panel"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      )}
    </header>
  );
}
