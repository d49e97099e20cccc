import { IS_MAC } from './is_mac';
import type { SendKey } from './preferences';

/** Returns whether the key sends the text of a field. */
export function isSendKey(event: KeyboardEvent, sendKey: SendKey): boolean {
  if (event.key !== 'Enter' || event.shiftKey) return false;
  return sendKey === 'enter' || event.ctrlKey || event.metaKey;
}

/** Returns the keys that send, as they are written on the keyboard. */
export function nameSendKey(sendKey: SendKey): string {
  return sendKey === 'enter' ? 'Enter' : IS_MAC ? '⌘ Enter' : 'Ctrl Enter';
}
