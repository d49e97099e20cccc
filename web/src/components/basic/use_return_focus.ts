import { useLayoutEffect, useRef } from 'preact/hooks';

/** Returns a ref for the button that opens a form. It gets the focus when the form closes, or else the focus would be lost with the form. */
export function useReturnFocus(isOpen: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}

/** Moves the focus to the heading, when the element that had it is gone. */
export function focusViewHeading(): void {
  document.querySelector<HTMLElement>('#view-heading')?.focus();
}
