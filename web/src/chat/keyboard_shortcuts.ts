/** Keys that work on the whole page: Escape, Alt with a number to choose an answer, Ctrl or Cmd with K to search, and `?` for the shortcuts. */
import { findActiveTurn } from '../state/view_types';
import type { ChatController } from './chat_controller';

/** What differs on a page with one chat, which has no search and no list of shortcuts. */
export interface SingleChatKeys {
  /** Called for an Escape that nothing inside the chat has taken. Returns false where the key goes on to the run. */
  onEscape(): boolean;
}

/** Time in which a second Escape stops the run, in milliseconds. */
const SECOND_ESCAPE_MS = 1000;

/**
 * Listens until the returned function is called. Use one listener for the life of the page: it reads the state when the key is pressed,
 * while a listener that is replaced after each change acts on the old state for one frame.
 */
export function listenForShortcuts(controller: ChatController, single?: SingleChatKeys): () => void {
  const { store } = controller;
  let disarm: ReturnType<typeof setTimeout> | undefined;

  const setArmed = (isStopArmed: boolean) => {
    clearTimeout(disarm);
    store.set({ isStopArmed });
    if (isStopArmed) disarm = setTimeout(() => store.set({ isStopArmed: false }), SECOND_ESCAPE_MS);
  };

  /** Handles Escape from the inside out: dialog, drawer, form, view, then the run. The innermost open element takes the key. */
  const onEscape = (event: KeyboardEvent) => {
    // The browser closes dialogs itself.
    if (document.querySelector('dialog[open]')) return;
    if (store.get().isDrawerOpen) {
      event.preventDefault();
      return controller.setDrawerOpen(false);
    }
    const target = event.target instanceof Element ? event.target : document.body;
    if (isField(target) && target.id !== 'composer') return;
    const { openView } = store.get();
    if (openView) {
      event.preventDefault();
      return controller.openView(openView.item === undefined ? undefined : { name: openView.name });
    }
    if (single?.onEscape()) return;
    const runId = findActiveTurn(store.get().view)?.runId;
    if (!runId || event.repeat) return;
    if (!stopsAtOnce(controller, target) && !store.get().isStopArmed) return setArmed(true);
    setArmed(false);
    void controller.stop(runId);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses Escape for its own candidates; older browsers report key code 229 then.
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') onEscape(event);
    else if (isAltAlone(event) && !event.repeat) choose(controller, event);
    else if (single) return;
    else if (isSearchKey(event)) toggleSearch(controller, event);
    else if (event.key === '?') showSheet(controller, event);
  };
  addEventListener('keydown', onKeyDown);
  return () => {
    clearTimeout(disarm);
    removeEventListener('keydown', onKeyDown);
  };
}

/** One Escape is enough when the message field is empty and the agent waits for no answer. */
function stopsAtOnce({ store }: ChatController, target: Element): boolean {
  const { view, draft } = store.get();
  if (findActiveTurn(view)?.state === 'waiting') return false;
  return target === document.body || (target.id === 'composer' && draft.text === '');
}

/**
 * Presses the button that carries the number: on the question of a form that has the focus, otherwise on the first card or question that waits for an
 * answer and has none yet.
 */
function choose({ store }: ChatController, event: KeyboardEvent): void {
  // Compare the key, not its character: on some keyboards Alt changes the character.
  const number = /^Digit([1-9])$/.exec(event.code)?.[1];
  const { isDrawerOpen, openView } = store.get();
  if (!number || isDrawerOpen || openView || document.querySelector('dialog[open]')) return;
  const shortcut = `[data-shortcut="${number}"]`;
  const focused = document.activeElement?.closest('[data-answered]');
  const button = focused
    ? focused.querySelector<HTMLButtonElement>(shortcut)
    : document.querySelector<HTMLButtonElement>(`[data-status="pending"] ${shortcut}:not([data-answered="true"] *)`);
  if (!button) return;
  event.preventDefault();
  button.click();
}

/** Opens the search, or closes it. Another dialog stays alone. */
function toggleSearch(controller: ChatController, event: KeyboardEvent): void {
  event.preventDefault();
  const { isSearchOpen } = controller.store.get();
  if (isSearchOpen || !document.querySelector('dialog[open]')) controller.setSearchOpen(!isSearchOpen);
}

/** Shows the shortcuts. In a field, `?` is a character. */
function showSheet(controller: ChatController, event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : document.body;
  if (isField(target) || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  controller.setSheetOpen(true);
}

function isSearchKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
}

function isAltAlone(event: KeyboardEvent): boolean {
  return event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
}

function isField(element: Element): boolean {
  return element.matches('input, textarea, select, [contenteditable]');
}
