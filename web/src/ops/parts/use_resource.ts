import { useEffect, useRef, useState } from 'preact/hooks';
import { AUTHENTICATED } from '../../api/call_rest';
import { finalRefusalOf, type Loadable } from './loadable';

export interface Resource<T> extends Loadable<T> {
  /** Changes the data on the page, such as after an edit. */
  change(edit: (data: T) => T): void;
}

type State<T> = Pick<Loadable<T>, 'data' | 'status' | 'refusal'>;
type Loaded<T> = State<T> & { key: string };

const LOADING = { data: undefined, status: 'loading' } as const;

/** Reads data with `load`; another `key` reads other data. With `everyMs` it is read again while the page is visible. */
export function useResource<T>(key: string, load: () => Promise<T>, everyMs?: number): Resource<T> {
  const [loaded, setState] = useState<Loaded<T>>({ key, ...LOADING });
  // Data of another key would be shown once more before the effect below empties it.
  const state = loaded.key === key ? loaded : LOADING;
  /** Number of the latest request; an answer to an earlier one is out of date. */
  const latest = useRef(0);
  const newest = useRef(load);
  newest.current = load;
  const read = async () => {
    const request = ++latest.current;
    try {
      const data = await newest.current();
      if (request === latest.current) setState({ key, data, status: 'ready' });
    } catch (error) {
      if (request === latest.current) setState(before => ({ key, data: before.data, status: 'failed', refusal: finalRefusalOf(error) }));
    }
  };
  useEffect(() => {
    setState({ key, ...LOADING });
    void read();
    const onLogin = () => void read();
    addEventListener(AUTHENTICATED, onLogin);
    return () => {
      latest.current++;
      removeEventListener(AUTHENTICATED, onLogin);
    };
  }, [key]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.hidden || void read(), everyMs);
    return () => clearInterval(timer);
  }, [key, everyMs]);
  const { data, status, refusal }: State<T> = state;
  return {
    data,
    status,
    refusal,
    reload: () => void read(),
    change: edit => setState(before => (before.data === undefined ? before : { ...before, data: edit(before.data) })),
  };
}
