/** Clicks on links that the page opens itself. A click with a modifier key or another button is left to the browser, which opens a tab or a window. */

export const isPlainClick = ({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean =>
  !ctrlKey && !metaKey && !shiftKey && button === 0;

/** Returns the handler of a link that the page opens itself. */
export function onPlainClick(open: () => void): (event: MouseEvent) => void {
  return event => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    open();
  };
}
