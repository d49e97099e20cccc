/** The page around the chat. */

import type { Me } from '../api/rest_types';
import type { Shown } from '../api/send_login';
import type * as KeptChats from '../offline/kept_chats';

/** Where the page keeps which chat is open: in its address, or in the storage of a frame. */
export interface ChatPlace {
  read(): string | undefined;
  /** `push`: the person moved to the chat. `replace`: the chat that the page shows has got its session. */
  write(sessionId: string | undefined, mode: 'push' | 'replace'): void;
}

export interface ChatPage {
  readonly place: ChatPlace;
  /** Returns whether the page has a view of this name. */
  isView(name: string): boolean;
  /** Shows the page anew, after everything of the person was removed from the browser. */
  startOver(): void;
  /** Loads the code for the chats that this device keeps. Absent on pages that keep none. */
  readonly loadKeptChats?: () => Promise<typeof KeptChats>;
  /** Set on a page that shows one chat and no list of chats. */
  readonly single?: SingleChat;
}

export interface SingleChat {
  /** The agent of new chats; absent: the default agent. */
  readonly agent?: string;
  /** Shows the key to the gateway in place of a login. Rejects with a RequestError when it is refused. */
  logIn(shown: Shown): Promise<Me>;
}
