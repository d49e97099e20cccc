import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasKeyboard } from '../../platform/has_keyboard';
import { isWriting } from '../../platform/is_writing';
import { ownsFocus } from '../../platform/owns_focus';
import type { ClarifyStatus } from '../../state/view_types';

/** A card that has just appeared ignores number keys for this long, because they were meant for something else. Milliseconds. */
const SETTLE_MS = 400;

/** Shared by questions and approvals: moves the focus in and out, and remembers whether this page showed them open. */
export function useAskingCard(status: ClarifyStatus) {
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const isPending = status === 'pending';
  // The page can tell that another place answered first only when it has shown the open question; a replay brings question and answer at once.
  const sawPending = useRef(isPending).current;
  const isSettled = useSettled(isPending);

  // The card takes the focus, not a button in it: a key that was meant for something else must not answer. Fields keep the focus.
  useLayoutEffect(() => {
    if (!isPending) return;
    if (!isWriting() && ownsFocus()) card.current?.focus({ preventScroll: true });
  }, [isPending]);

  // The buttons disappear with the question; the focus must not be lost with them.
  const hadFocus = card.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (isPending || !hadFocus) return;
    if (hasKeyboard()) focusComposer();
    else card.current?.focus({ preventScroll: true });
  }, [isPending]);

  return { card, titleId, sawPending, isSettled };
}

/** Returns true once an open question has been visible long enough that a key press is meant for it. */
export function useSettled(isPending: boolean): boolean {
  const [isSettled, setSettled] = useState(false);
  useLayoutEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return isSettled;
}

export function focusComposer(): void {
  document.querySelector<HTMLElement>('#composer')?.focus({ preventScroll: true });
}
