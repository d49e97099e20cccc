/** Parts of the page that shows all chats, which a page with one chat shows too. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { hasKeyboard } from '../../platform/has_keyboard';
import { useStore } from '../../platform/store';
import { ViewFrame } from '../../views/view_frame';
import { findView, type ViewEntry } from '../../views/view_registry';
import { lazy } from '../basic/lazy';
import { Composer } from '../composer/composer';
import { focusComposer } from '../questions/use_asking_card';
import { SessionOrigin } from '../sessions/session_origin';
import { Transcript } from '../transcript/transcript';
import { ChatPeople } from './chat_people';
import { PlanPanel } from './plan_panel';

/** The open chat, and the view that lies over it. */
export function ChatStage({ controller, view }: { controller: ChatController; view: ViewEntry | undefined }) {
  const item = useStore(controller.store, state => state.openView?.item);
  const dialog = useStore(controller.store, state => state.chatDialog);
  return (
    <div class="stage">
      {/* The chat behind a view keeps its layout, so that it keeps its scroll position and follows a running answer. */}
      <div class={view ? 'chat-body behind' : 'chat-body'} inert={view !== undefined}>
        <ChatPeople controller={controller}>
          <SessionOrigin controller={controller} />
          <Transcript controller={controller} />
          <PlanPanel store={controller.store} />
          <Composer controller={controller} />
        </ChatPeople>
      </div>
      {view && <ViewFrame controller={controller} entry={view} item={item} />}
      {dialog && <ChatDialog name={dialog} controller={controller} onClose={() => controller.openDialog(undefined)} />}
    </div>
  );
}

const ChatDialog = lazy(async () => (await import('../../feature/chat/chat_dialog')).ChatDialog);

/** Returns the view over the chat. The focus returns to the message field when the view closes. */
export function useOpenView({ store }: ChatController): ViewEntry | undefined {
  const view = findView(useStore(store, state => state.openView?.name));
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !view && hasKeyboard()) focusComposer();
    wasOpen.current = view !== undefined;
  }, [view]);
  return view;
}

export const Gateway = lazy(async () => (await import('./gateway_notice')).GatewayNotice);
