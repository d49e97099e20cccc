/** Keeps the chats that the person opens on this device, unless they have switched that off. */
import type { Preferences } from '../platform/preferences';
import type { Store } from '../platform/store';
import type { AppState } from '../state/app_state';
import { findTitle } from '../state/app_state';
import { findActiveTurn } from '../state/view_types';
import { confirmPerson } from './device_database';
import { type ChatCopy, clearChats, dropAllChats, dropChats, keepChat } from './kept_chats';

/** Milliseconds after the last change of the chat. */
const SAVE_DELAY_MS = 1000;

export function keepOpenedChats(store: Store<AppState>, preferences: Store<Preferences>): void {
  let { me, isLoginNeeded, phase, view } = INITIAL;
  /** The copy that is not stored yet, and the person whose chat it is; no person while the gateway has named none. */
  let waiting: { copy: ChatCopy; person: AppState['me'] } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isOn = () => preferences.get().keepChats === 'on';
  const save = () => {
    clearTimeout(timer);
    const person = waiting?.person ?? store.get().me;
    if (waiting && person && isOn()) void keepChat(person, waiting.copy);
    waiting = undefined;
  };
  const follow = () => {
    const now = store.get();
    if (now.me && now.me !== me) void confirmPerson(now.me, clearChats);
    // The login has ended, perhaps on another device.
    if (now.isLoginNeeded && !isLoginNeeded) {
      clearTimeout(timer);
      waiting = undefined;
      void dropAllChats();
    }
    if (now.phase === 'missing' && phase !== 'missing' && now.sessionId) void dropChats([now.sessionId]);
    const copy = now.view !== view || now.phase !== phase ? copyOf(now) : undefined;
    ({ me, isLoginNeeded, phase, view } = now);
    if (!copy) return;
    if (waiting && waiting.copy.session.id !== copy.session.id) save();
    waiting = { copy, person: now.me };
    clearTimeout(timer);
    // While an answer streams, the chat is kept when the person leaves it.
    if (!findActiveTurn(now.view)) timer = setTimeout(save, SAVE_DELAY_MS);
  };
  follow();
  store.subscribe(follow);
  let wasOn = isOn();
  preferences.subscribe(() => {
    if (wasOn && !isOn()) void dropAllChats();
    wasOn = isOn();
  });
  addEventListener('pagehide', save);
  document.addEventListener('visibilitychange', save);
}

const INITIAL: Partial<Pick<AppState, 'me' | 'isLoginNeeded' | 'phase' | 'view'>> = {};

/** Undefined for a chat that is not kept: a temporary one, one that is not loaded, and one without a stored message. */
function copyOf(state: AppState): ChatCopy | undefined {
  const { phase, isLoginNeeded, isTemporary, openSession, sessionId, view } = state;
  if (phase !== 'ready' || isLoginNeeded || isTemporary || !openSession || openSession.id !== sessionId || openSession.temporary)
    return undefined;
  const turns = view.turns.filter(({ runId }) => runId !== undefined);
  if (turns.length === 0) return undefined;
  return { session: { ...openSession, title: findTitle(state) ?? openSession.title }, turns, keptAt: Date.now() };
}
