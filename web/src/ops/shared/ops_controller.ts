/** State and actions that all operator pages share. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { AUTHENTICATED, callRest, UNAUTHENTICATED } from '../../api/call_rest';
import type { Me } from '../../api/rest_types';
import { type Shown, sendLogin } from '../../api/send_login';
import type { Locale, Preferences } from '../../platform/preferences';
import { createStore, type Store, useStore } from '../../platform/store';
import { endPerson } from '../../push/end_person';
import { endPushOfOthers } from '../../push/push_device';
import { opsHref, type Place, readPlace } from './place';

/** `still`: the screen has no live data. */
export type LiveStatus = 'still' | 'connecting' | 'live' | 'stale';

export interface OpsState {
  me?: Me;
  isLoginNeeded: boolean;
  notice?: { id: number; text: string } | undefined;
  place: Place;
  live: LiveStatus;
  /** When live data last arrived. Milliseconds since 1970. */
  liveAt?: number | undefined;
  isMenuOpen: boolean;
}

export interface OpsController {
  readonly store: Store<OpsState>;
  readonly login: { logIn(shown: Shown): Promise<void>; logOut(everywhere: boolean): Promise<void> };
  /** Opens a page below /ops. */
  go(href: string, mode?: 'push' | 'replace'): void;
  /** Changes filters of the screen in the address. An empty value removes a filter. */
  setQuery(change: Record<string, string>): void;
  /** Changes the number of the event in the address. */
  setHash(hash: string): void;
  /** Shows a short notice. */
  notify(text: string): void;
  dismissNotice(): void;
  locale(): Locale;
}

export function createOpsController(preferences: Store<Preferences>): OpsController {
  const store = createStore<OpsState>({ isLoginNeeded: false, place: readPlace(), live: 'still', isMenuOpen: false });
  let noticeId = 0;
  const follow = () => store.set({ place: readPlace() });
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
  addEventListener(UNAUTHENTICATED, () => store.set({ isLoginNeeded: true }));
  void checkLogin(store);
  const go = (href: string, mode: 'push' | 'replace' = 'push') => {
    if (mode === 'push' && href !== location.pathname + location.search + location.hash) history.pushState(null, '', href);
    if (mode === 'replace') history.replaceState(null, '', href);
    store.set({ place: readPlace(), isMenuOpen: false });
  };
  const change = (next: (place: Place) => Place) => {
    const { screen, item, query, hash } = next(store.get().place);
    go(opsHref(screen, { item, query, hash }), 'replace');
  };
  return {
    store,
    login: createOpsLogin(store),
    go,
    setQuery: query => change(place => ({ ...place, query: { ...place.query, ...query } })),
    setHash: hash => change(place => ({ ...place, hash })),
    notify: text => store.set({ notice: { id: ++noticeId, text } }),
    dismissNotice: () => store.set({ notice: undefined }),
    locale: () => preferences.get().locale,
  };
}

/** Reads who is logged in. A refusal shows the login card; without an answer the screens say that the gateway is away. */
async function checkLogin(store: Store<OpsState>): Promise<void> {
  const me = await callRest<Me>('GET', '/me').catch(() => undefined);
  if (!me) return;
  void endPushOfOthers(me);
  store.set({ me });
}

function createOpsLogin(store: Store<OpsState>): OpsController['login'] {
  return {
    logIn: async shown => {
      const me = await sendLogin(shown);
      void endPushOfOthers(me);
      store.set({ me, isLoginNeeded: false });
      dispatchEvent(new Event(AUTHENTICATED));
    },
    logOut: async everywhere => {
      await endPerson(() => callRest('POST', '/logout', { everywhere }));
      location.reload();
    },
  };
}

const OpsContext = createContext<OpsController | undefined>(undefined);
export const OpsProvider = OpsContext.Provider;

export function useOps(): OpsController {
  const controller = useContext(OpsContext);
  if (!controller) throw new Error('This component stands outside of OpsApp.');
  return controller;
}

export function usePlace(): Place {
  return useStore(useOps().store, state => state.place);
}

/** Returns a filter of the address; '' without it. */
export function useOpsQuery(name: string): string {
  return useStore(useOps().store, state => state.place.query[name] ?? '');
}
