/** Loads and changes the list of sessions beside the conversation. */
import type { Messages } from '../i18n/messages';
import type { ChatContext } from './chat_context';

export interface SessionDirectory {
  /** Reads the first page again soon; many calls become one. */
  refreshSoon(): void;
  refresh(): Promise<void>;
  /** Reads the first page, once. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Deletes a session. Resolves with whether it was deleted. */
  remove(id: string): Promise<boolean>;
}

const REFRESH_DELAY_MS = 250;

export function createSessionDirectory(context: ChatContext, messages: () => Messages): SessionDirectory {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loading: Promise<void> | undefined;
  const refresh = () => readFirstPage(context);
  /** Sends a request of the person. Resolves with whether it worked; shows a failure. */
  const attempt = async (request: () => Promise<void>): Promise<boolean> => {
    try {
      await request();
      return true;
    } catch {
      context.notify(messages().requestFailed);
      return false;
    }
  };
  // Refresh when the person comes back to this tab.
  addEventListener('focus', () => context.store.get().sessionsLoaded && void refresh());
  return {
    refresh,
    load: async () => {
      if (context.store.get().sessionsLoaded) return;
      loading ??= refresh().finally(() => {
        loading = undefined;
      });
      await loading;
    },
    refreshSoon: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), REFRESH_DELAY_MS);
    },
    loadMore: async () => {
      await attempt(() => readNextPage(context));
    },
    rename: async (id, title) => {
      await attempt(() => renameSession(context, id, title));
    },
    remove: id => attempt(() => removeSession(context, id)),
  };
}

async function readFirstPage({ store, rest }: ChatContext): Promise<void> {
  try {
    const page = await rest.listSessions();
    const fresh = new Set(page.data.map(session => session.id));
    // Older pages that were loaded stay below the fresh first page.
    const older = page.nextCursor ? store.get().sessions.filter(session => !fresh.has(session.id)) : [];
    const sessionsCursor = older.length > 0 ? store.get().sessionsCursor : page.nextCursor;
    store.set({ sessions: [...page.data, ...older], sessionsCursor, sessionsLoaded: true });
  } catch {
    // Keeps the list as it is; the connection banner says that the gateway is away.
  }
}

async function readNextPage({ store, rest }: ChatContext): Promise<void> {
  const { sessions, sessionsCursor } = store.get();
  if (!sessionsCursor) return;
  const page = await rest.listSessions(sessionsCursor);
  store.set({ sessions: [...sessions, ...page.data], sessionsCursor: page.nextCursor });
}

/** Shows the new title at once, and the old one again when the request fails. */
async function renameSession({ store, rest }: ChatContext, id: string, title: string): Promise<void> {
  const before = store.get().sessions;
  store.set({ sessions: before.map(session => (session.id === id ? { ...session, title } : session)) });
  try {
    await rest.renameSession(id, title);
  } catch (error) {
    store.set({ sessions: before });
    throw error;
  }
}

async function removeSession({ store, rest }: ChatContext, id: string): Promise<void> {
  await rest.deleteSession(id);
  store.set({ sessions: store.get().sessions.filter(session => session.id !== id) });
}
