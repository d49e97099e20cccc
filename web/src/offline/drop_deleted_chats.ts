/** Drops copies of chats that were deleted elsewhere, e.g. on another device. */
import { callRest } from '../api/call_rest';
import { RequestError } from '../api/request_error';
import type { Store } from '../platform/store';
import type { AppState } from '../state/app_state';
import { allRows } from '../state/chat_lists';
import { dropChats, listChats } from './kept_chats';

/** Milliseconds after the page has its list of chats: the first requests are for what the person looks at. */
const DELAY_MS = 2000;
/** Number of chats that a page asks for, one after the other. */
const MAX_ASKED = 10;

/** Asks the gateway, once for each page, for some of the kept chats that are not in the list. */
export function dropDeletedChats(store: Store<AppState>): void {
  const stop = store.subscribe(() => {
    if (!store.get().sessionsLoaded) return;
    stop();
    setTimeout(() => void askForUnlisted(store).catch(() => undefined), DELAY_MS);
  });
}

async function askForUnlisted(store: Store<AppState>): Promise<void> {
  const listed = new Set(allRows(store.get()).map(({ id }) => id));
  const unlisted = (await listChats()).filter(({ id }) => !listed.has(id));
  // Any of them, so that each has its turn.
  for (const { id } of unlisted.sort(() => Math.random() - 0.5).slice(0, MAX_ASKED)) {
    if (await isDeleted(id)) await dropChats([id]);
  }
}

async function isDeleted(id: string): Promise<boolean> {
  try {
    await callRest('GET', `/sessions/${encodeURIComponent(id)}`);
    return false;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'not_found') return true;
    throw error;
  }
}
