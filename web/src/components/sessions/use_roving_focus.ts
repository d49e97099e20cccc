import { useLayoutEffect, useRef } from 'preact/hooks';

const ITEMS = '[data-roving]';

/** Makes a list one tab stop: arrow keys, Home and End move between the elements with `data-roving`; the right arrow leads to the menu of a row. */
export function useRovingFocus() {
  const list = useRef<HTMLDivElement>(null);
  const itemsOf = () => [...(list.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
  /** The item that had the focus last. */
  const last = useRef<HTMLElement>();

  const setStop = () => {
    const items = itemsOf();
    const kept = items.find(item => item === last.current);
    const stop = kept ?? items.find(item => item.getAttribute('aria-current')) ?? items[0];
    for (const item of items) item.tabIndex = item === stop ? 0 : -1;
  };
  useLayoutEffect(setStop);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    // Rows render by themselves too, without the list.
    const observer = new MutationObserver(setStop);
    observer.observe(element, { childList: true, subtree: true });
    const onFocus = (event: FocusEvent) => {
      if (!(event.target instanceof HTMLElement) || !event.target.matches(ITEMS)) return;
      last.current = event.target;
      setStop();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      if (!target || target.matches('input')) return;
      const next = findNext(event.key, target, itemsOf());
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    element.addEventListener('focusin', onFocus);
    element.addEventListener('keydown', onKeyDown);
    return () => {
      observer.disconnect();
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return list;
}

function findNext(key: string, target: HTMLElement, items: readonly HTMLElement[]): HTMLElement | null | undefined {
  const row = target.closest('.session-row');
  const item = target.matches(ITEMS) ? target : row?.querySelector<HTMLElement>(ITEMS);
  const index = item ? items.indexOf(item) : -1;
  switch (key) {
    case 'ArrowDown':
      return items[index + 1];
    case 'ArrowUp':
      return items[Math.max(0, index - 1)];
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    case 'ArrowRight':
      return row?.querySelector<HTMLElement>('.row-menu-button');
    case 'ArrowLeft':
      return target === item ? undefined : item;
    default:
      return undefined;
  }
}
