/** The list of sessions beside the conversation. */
import type { Messages } from '../i18n/messages';
import type { ChatContext } from './chat_context';

export interface SessionDirectory {
  /** Reads the first page again soon; many calls become one. */
  refreshSoon(): void;
  refresh(): Promise<void>;
  /** Reads the first page unless that is done or under way. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Whether it is gone. */
  remove(id: string): Promise<boolean>;
}

const REFRESH_DELAY_MS = 250;

export function createSessionDirectory(context: ChatContext, messages: () => Messages): SessionDirectory {
  const { store, rest } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      const page = await rest.listSessions();
      const fresh = new Set(page.data.map(session => session.id));
      // Older pages that were loaded stay below the fresh first page.
      const older = page.nextCursor ? store.get().sessions.filter(session => !fresh.has(session.id)) : [];
      const sessionsCursor = older.length > 0 ? store.get().sessionsCursor : page.nextCursor;
      store.set({ sessions: [...page.data, ...older], sessionsCursor, sessionsLoaded: true });
    } catch {
      // The list stays as it is; the connection banner tells that the gateway is away.
    }
  }

  return {
    refresh,
    load: async () => {
      if (store.get().sessionsLoaded) return;
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
      const { sessions, sessionsCursor } = store.get();
      if (!sessionsCursor) return;
      try {
        const page = await rest.listSessions(sessionsCursor);
        store.set({ sessions: [...sessions, ...page.data], sessionsCursor: page.nextCursor });
      } catch {
        context.notify(messages().requestFailed);
      }
    },
    rename: async (id, title) => {
      const before = store.get().sessions;
      store.set({ sessions: before.map(session => (session.id === id ? { ...session, title } : session)) });
      try {
        await rest.renameSession(id, title);
      } catch {
        store.set({ sessions: before });
        context.notify(messages().requestFailed);
      }
    },
    remove: async id => {
      try {
        await rest.deleteSession(id);
        store.set({ sessions: store.get().sessions.filter(session => session.id !== id) });
        return true;
      } catch {
        context.notify(messages().requestFailed);
        return false;
      }
    },
  };
}
