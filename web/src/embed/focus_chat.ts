/**
 * Moves the focus into the chat that was opened: to the field for a message or a key, or to the title where a field would raise the keyboard of a
 * touch screen over the chat.
 */
export function focusChat(): void {
  const hasKeyboard = matchMedia('(any-pointer: fine)').matches;
  const fields = ['#login-key', '#composer:enabled', '.chat-title'].map(selector => document.querySelector<HTMLElement>(selector));
  const target = hasKeyboard ? fields.find(field => field !== null) : fields.at(-1);
  if (!document.querySelector('dialog[open]')) target?.focus({ preventScroll: true });
}
