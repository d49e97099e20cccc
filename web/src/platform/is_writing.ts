/** Whether somebody is typing right now: the focus is not to be taken away then. */
export function isWriting(): boolean {
  const active = document.activeElement;
  return active instanceof HTMLTextAreaElement ? active.value !== '' : active instanceof HTMLInputElement;
}
