/**
 * Returns the handler of a link that the page opens itself. It leaves a click with a modifier key or another button to the browser, which opens a
 * tab or a window.
 */
export function onPlainClick(open: () => void): (event: MouseEvent) => void {
  return event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open();
  };
}
