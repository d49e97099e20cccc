import { ownsFocus } from './owns_focus';

/** Returns true when taking the focus is harmless: on a touch screen alone it would raise the keyboard over the page. */
export function hasKeyboard(): boolean {
  return matchMedia('(any-pointer: fine)').matches && ownsFocus();
}
