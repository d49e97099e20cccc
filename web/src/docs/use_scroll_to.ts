import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Scrolls to the element when the address of the page begins to name it. */
export function useScrollTo<T extends HTMLElement>(isNamed: boolean): RefObject<T> {
  const element = useRef<T>(null);
  useEffect(() => {
    if (isNamed) element.current?.scrollIntoView();
  }, [isNamed]);
  return element;
}
