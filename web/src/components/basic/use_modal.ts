import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Opens a dialog over the page while its component is shown. Give the result to the dialog as its `ref`. */
export function useModal(): RefObject<HTMLDialogElement> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing returns the focus. While the dialog is open, nothing behind it can take the focus.
    return () => element?.close();
  }, []);
  return dialog;
}
