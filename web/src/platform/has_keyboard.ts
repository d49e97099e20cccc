/** Whether taking the focus is harmless: with a touch screen alone it would raise the keyboard over the page. */
export function hasKeyboard(): boolean {
  return matchMedia('(any-pointer: fine)').matches;
}
