/** Returns true when the focus is in a field. Do not move the focus then, or the next key goes somewhere else. */
export function isWriting(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
}
