/** Returns true when the focus is in a field, empty or not. Do not move the focus then, or the next key lands on something else. */
export function isWriting(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
}
