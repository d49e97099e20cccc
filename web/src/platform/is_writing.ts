/** Whether the focus is in a field, written in or not: it must not be taken away then, or the next key lands on something else. */
export function isWriting(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
}
