import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { MessageTarget } from '../../platform/session_url';
import { type Store, useStore } from '../../platform/store';
import type { AppState } from '../../state/app_state';

/** Time for which the message is marked, in milliseconds. */
const MARKED_MS = 2_500;
const BLOCKS = '.user-message, .answer p, .answer li, .answer pre, .answer td, .answer th, .answer :is(h1, h2, h3, h4, h5, h6)';

/** Scrolls to the message that a search has found and marks it for a moment. `onReveal` is called before it scrolls. */
export function useReveal(store: Store<AppState>, scroller: RefObject<HTMLElement>, onReveal: () => void): void {
  const target = useStore(store, state => state.revealed);
  useLayoutEffect(() => {
    const turn = target && scroller.current?.querySelector(`[data-run-id="${CSS.escape(target.runId)}"]`);
    if (!target || !turn) return;
    onReveal();
    const place = findPlace(turn, target);
    place.scrollIntoView({ block: 'center' });
    // Turns that were never visible get their real height only now.
    const frame = requestAnimationFrame(() => place.scrollIntoView({ block: 'center' }));
    place.classList.add('found');
    // Without the target, the mark goes away and the transcript does not scroll there again when it is next shown.
    const timer = setTimeout(() => store.set({ revealed: undefined }), MARKED_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      place.classList.remove('found');
    };
  }, [target]);
}

/** Returns the first paragraph with one of the words, else the message, else the turn. */
function findPlace(turn: Element, { role, words = [] }: MessageTarget): Element {
  const isInRole = (element: Element) => role === undefined || (role === 'user') === element.matches('.user-message');
  const blocks = [...turn.querySelectorAll(BLOCKS)].filter(isInRole);
  const lower = words.map(word => word.toLowerCase());
  const found = blocks.find(block => lower.some(word => block.textContent?.toLowerCase().includes(word)));
  return found ?? turn.querySelector(role === 'assistant' ? '.answer' : '.user-message') ?? turn;
}
