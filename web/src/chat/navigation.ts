/** Moves between sessions, messages and views. The address of the page follows, and the page follows the address. */
import { type MessageTarget, readTarget } from '../platform/session_url';
import { type OpenView, readView, writeView } from '../platform/view_url';
import type { ChatPage } from './chat_page';
import type { ChildRuns } from './child_runs';
import { type AddressChange, type ConversationDeps, openConversation } from './conversations';
import { revealMessage } from './reveal_message';

export interface Navigation {
  openSession(sessionId: string | undefined, address: AddressChange): void;
  openView(view: OpenView | undefined): void;
  openMessage(target: MessageTarget): void;
  /** Shows the session and view of the address. */
  followAddress(): void;
}

export interface NavigationDeps extends ConversationDeps {
  children: ChildRuns;
  isView: ChatPage['isView'];
}

export function createNavigation(deps: NavigationDeps): Navigation {
  const { context, loader, children, isView } = deps;
  const { store, place } = context;
  const openSession = (sessionId: string | undefined, address: AddressChange) => {
    const before = context.conversation;
    openConversation(deps, sessionId, address);
    if (context.conversation !== before) children.clear();
  };
  const openView = (view: OpenView | undefined) => {
    writeView(view);
    store.set({ openView: view });
  };
  return {
    openSession,
    openView,
    openMessage: target => {
      openSession(target.sessionId, 'push');
      openView(undefined);
      void revealMessage(context, loader, target);
    },
    followAddress: () => {
      const view = readView();
      // A chat whose first message is not stored yet has no session: opening it again would lose the message from the page.
      // The address of a temporary chat has no session either.
      const shown = store.get().isTemporary ? undefined : store.get().sessionId;
      const isViewStep = view?.name !== store.get().openView?.name && place.read() === shown;
      // The way back from the chat of a crew member leads to the temporary chat.
      if (!isViewStep) openSession(place.read() ?? context.conversation.temporaryChat?.sessionId, 'keep');
      const target = readTarget();
      if (target) void revealMessage(context, loader, target);
      store.set({ openView: view && isView(view.name) ? view : undefined });
    },
  };
}
