/** What the chat page does to work without the gateway. Loaded after the first paint. */
import type { Preferences } from '../platform/preferences';
import type { Store } from '../platform/store';
import { dropDeletedChats } from './drop_deleted_chats';
import { keepOpenedChats } from './keep_opened_chats';
import { type DraftDeps, keepDrafts } from './kept_drafts';
import { registerWorker } from './register_worker';

interface ChatPage extends DraftDeps {
  preferences: Store<Preferences>;
  open(sessionId: string): void;
}

export function prepareForOffline(page: ChatPage): void {
  void registerWorker(page.open);
  // The worker keeps only files that the page has loaded, and the page shows these notes when it cannot load any more.
  void import('./kept_notes').catch(() => undefined);
  keepOpenedChats(page.store, page.preferences);
  keepDrafts(page);
  dropDeletedChats(page.store);
}
