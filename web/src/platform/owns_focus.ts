/** Returns false in a frame while the focus is in the page around it: a frame does not take the focus from that page. */
export function ownsFocus(): boolean {
  return parent === window || document.hasFocus();
}
