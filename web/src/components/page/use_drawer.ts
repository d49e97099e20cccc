import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useStore } from '../../platform/store';

/** Screens of this width or more show the list of chats beside the conversation. screens.css has the same number. */
const BESIDE = '(min-width: 861px)';

/** Opens and closes the drawer. The focus moves into it, stays there while it is open, and returns. */
export function useDrawer(controller: ChatController): boolean {
  const isOpen = useStore(controller.store, state => state.isDrawerOpen);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (isOpen) document.querySelector<HTMLElement>('.new-chat')?.focus();
    else if (wasOpen.current) document.querySelector<HTMLElement>('.drawer-open')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const wide = matchMedia(BESIDE);
    const close = () => controller.setDrawerOpen(false);
    addEventListener('keydown', keepFocusInside);
    wide.addEventListener('change', close);
    return () => {
      removeEventListener('keydown', keepFocusInside);
      wide.removeEventListener('change', close);
    };
  }, [isOpen, controller]);
  return isOpen;
}

/** Moves the focus from the last element of the drawer to its first. Everything behind the drawer is inert. */
function keepFocusInside(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || document.querySelector('dialog[open]')) return;
  const stops = [...document.querySelectorAll<HTMLElement>('.sessions :is(a[href], button, input)')];
  const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
  if (document.activeElement !== last) return;
  event.preventDefault();
  first?.focus();
}
