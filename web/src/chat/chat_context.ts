/** State and ports that the modules of the chat controller share. */
import type { RestClient } from '../api/rest_client';
import type { ThinkingLevel } from '../api/rest_types';
import type { GatewaySocket } from '../connection/gateway_socket';
import type { DraftImages } from '../images/draft_images';
import type * as KeptChats from '../offline/kept_chats';
import type { Locale } from '../platform/preferences';
import type { Store } from '../platform/store';
import type { AppState } from '../state/app_state';
import type { Turn } from '../state/view_types';
import type { ChatPlace } from './chat_page';
import type { StoredTurns } from './stored_turns';

/** A conversation of the page. It has no session until its first message is stored. Unsent messages keep a reference to theirs. */
export interface Conversation {
  sessionId?: string;
  /** The agent of the first message; absent: the default agent. */
  agent?: string;
  /** Absent until the session is loaded. */
  stored?: StoredTurns;
  /** Turns from the copy of this device, until the gateway has sent the chat. */
  kept?: readonly Turn[];
  /** A chosen level that is not stored yet. */
  thinkingLevel?: ThinkingLevel;
  /** A chosen model that is not stored yet; null: the model of the agent. */
  model?: string | null;
  /** Instructions that are not stored yet; null: none. */
  instructions?: string | null;
  /** The chat is deleted when the person leaves it. */
  temporary?: boolean;
  /** The person left the temporary chat: its messages are not sent any more, and a session that it gets later is deleted. */
  isLeft?: boolean;
  /** The temporary chat of which this one may be a part, such as the chat of a crew member; it is not left yet. */
  temporaryChat?: Conversation;
}

export interface ChatContext {
  readonly store: Store<AppState>;
  readonly rest: RestClient;
  readonly socket: GatewaySocket;
  readonly locale: () => Locale;
  readonly draftImages: DraftImages;
  readonly place: ChatPlace;
  /** The page has no list of chats. */
  readonly isSingle?: boolean;
  /** Loads the code for the chats that this device keeps. Absent on pages that keep none. */
  readonly loadKeptChats?: () => Promise<typeof KeptChats>;
  /** The conversation on the page; replaced at every switch. */
  conversation: Conversation;
  isLoadingInfo?: boolean;
  /** True once the page has connected, or has found the gateway away. */
  isOpened?: boolean;
  notify(text: string): void;
}

/** Returns true while the page shows the chat of this conversation, also after the person left it and came back. */
export function isOpenChat({ store }: ChatContext, { sessionId }: Conversation): boolean {
  return store.get().sessionId === sessionId;
}

/** Returns true while the page shows this conversation. */
export function isShown(context: ChatContext, conversation: Conversation): boolean {
  return context.conversation === conversation;
}
