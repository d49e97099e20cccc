/** Moves the focus into the chat that was opened: to the message field, or to the first button where a field would raise the keyboard of a touch screen over the chat. */
export function focusChat(): void {
  const hasKeyboard = matchMedia('(any-pointer: fine)').matches;
  const target = document.querySelector<HTMLElement>(hasKeyboard ? '#composer:enabled' : '#app button:enabled');
  if (!document.querySelector('dialog[open]')) target?.focus({ preventScroll: true });
}
