/** A store of one immutable value. Every change replaces the value and calls the listeners. */
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  /** Merges the given fields. */
  set(change: Partial<T>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: change => {
      value = { ...value, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the selected part. The component renders again only when that part has changed. */
export function useStore<T extends object, S>(store: Store<T>, select: (value: T) => S): S {
  const [, render] = useState(0);
  const selected = select(store.get());
  // `select` is a new closure at every render and may read props, so the listener must call the latest one.
  const latest = useRef({ select, selected });
  latest.current = { select, selected };
  useEffect(() => {
    const listen = () => {
      const shown = latest.current;
      if (!Object.is(shown.select(store.get()), shown.selected)) render(count => count + 1);
    };
    // The value may have changed between rendering and this effect.
    listen();
    return store.subscribe(listen);
  }, [store]);
  return selected;
}
