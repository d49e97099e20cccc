/** Logs in and out, and notices when the gateway wants a key. */

import { AUTHENTICATED, UNAUTHENTICATED } from '../api/call_rest';
import type { Me } from '../api/rest_types';
import type { Shown } from '../api/send_login';
import { readDraftOwner, writeDraftOwner } from '../platform/drafts';
import { endPerson } from '../push/end_person';
import { endPushOfOthers } from '../push/push_device';
import type { ChatContext } from './chat_context';
import type { ChatPage } from './chat_page';

export interface Login {
  /** Rejects with a RequestError when the gateway refuses what is shown. */
  logIn(shown: Shown): Promise<void>;
  /** `everywhere`: ends every login with this key. Rejects with a RequestError. */
  logOut(everywhere: boolean): Promise<void>;
  /** Reads who is logged in; undefined without an answer. Shows the login card when the gateway wants a key. Never rejects. */
  check(): Promise<Me | undefined>;
}

/** `onLogin` is called when the page can go on. */
export function createLogin({ store, rest }: ChatContext, page: ChatPage, onLogin: () => void): Login {
  const logIn = page.single?.logIn ?? rest.logIn;
  const startOver = () => void endPerson().then(page.startOver);
  addEventListener(UNAUTHENTICATED, () => store.set({ isLoginNeeded: true }));

  /** A new key of the same tenant goes on where the last key ended, which may have been revoked. Another tenant starts with an empty page. */
  const welcome = (me: Me): Me | undefined => {
    const owner = readDraftOwner() ?? store.get().me?.tenant ?? me.tenant;
    if (owner !== me.tenant) {
      startOver();
      return undefined;
    }
    // A chat in a page of another site has a key of its own, and no push.
    if (!page.single) void endPushOfOthers(me);
    if (me.loginRequired) writeDraftOwner(me.tenant);
    store.set({ me, isLoginNeeded: false });
    return me;
  };
  return {
    logIn: async shown => {
      welcome(await logIn(shown));
      dispatchEvent(new Event(AUTHENTICATED));
      onLogin();
    },
    logOut: async everywhere => {
      await endPerson(() => rest.logOut(everywhere));
      page.startOver();
    },
    check: async () => {
      // Without an answer the page stays as it is, and its other requests fail too.
      const me = await rest.me().catch(() => undefined);
      return me && welcome(me);
    },
  };
}

/** Pause before the page asks again who the person is, in milliseconds. */
const CHECK_PAUSE_MS = 3000;

/**
 * Asks who the person is until the gateway answers: another tab may have logged in under another key. Resolves with undefined when the page is
 * offline or needs a login. Never rejects.
 */
export async function readLogin({ store, socket }: ChatContext, login: Pick<Login, 'check'>): Promise<Me | undefined> {
  for (;;) {
    const me = await login.check();
    if (!socket.isOnline() || store.get().isLoginNeeded) return undefined;
    if (me) return me;
    await new Promise(resolve => setTimeout(resolve, CHECK_PAUSE_MS));
  }
}
