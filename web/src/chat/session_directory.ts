/** Loads and changes the list of sessions beside the conversation. */
import type { SessionChange, SessionSummary } from '../api/rest_types';
import type { Messages } from '../i18n/messages';
import type { Folder } from '../state/chat_lists';
import { changeRows, folderKey, removeRows } from '../state/chat_lists';
import type { ChatContext } from './chat_context';

export interface SessionDirectory {
  /** Reads the first page again soon; many calls become one. */
  refreshSoon(): void;
  refresh(): Promise<void>;
  /** Reads the first page, once. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Pins, archives or moves chats. */
  change(ids: readonly string[], change: SessionChange): Promise<void>;
  /** Deletes sessions. Resolves with the ids of those that were deleted. */
  remove(ids: readonly string[]): Promise<string[]>;
  /** Shows the chats of a folder, which are read now and with every refresh, or hides them. */
  toggleFolder(folder: Folder): Promise<void>;
}

const REFRESH_DELAY_MS = 250;

export function createSessionDirectory(context: ChatContext, messages: () => Messages): SessionDirectory {
  const { store, rest } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loading: Promise<void> | undefined;
  const refresh = () => readLists(context);
  const refreshSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), REFRESH_DELAY_MS);
  };
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
  addEventListener('focus', () => store.get().sessionsLoaded && refreshSoon());
  return {
    refresh,
    load: async () => {
      if (store.get().sessionsLoaded) return;
      loading ??= refresh().finally(() => {
        loading = undefined;
      });
      await loading;
    },
    refreshSoon,
    loadMore: async () => {
      await attempt(() => readNextPage(context));
    },
    rename: async (id, title) => {
      await attempt(() => changeSessions(context, [id], { title }));
    },
    change: async (ids, change) => {
      await attempt(() => changeSessions(context, ids, change));
      await refresh();
    },
    remove: async ids => {
      const removed: string[] = [];
      await attempt(async () => {
        for (const id of ids) {
          await rest.deleteSession(id);
          removed.push(id);
        }
      });
      store.set(removeRows(store.get(), removed));
      return removed;
    },
    toggleFolder: async folder => {
      const { [folderKey(folder)]: open, ...others } = store.get().folders;
      if (open) return store.set({ folders: others });
      await attempt(() => readFolder(context, folder));
    },
  };
}

async function readLists(context: ChatContext): Promise<void> {
  const { store, rest } = context;
  try {
    const [page, pinned, projects] = await Promise.all([rest.listSessions(), rest.listSessions({ pinned: true }), rest.listProjects()]);
    const fresh = new Set(page.data.map(session => session.id));
    const isNewest = isNewestIn([...page.data, ...pinned.data]);
    // Older pages that were loaded stay below the fresh first page, without chats of which another branch was used since.
    const older = page.nextCursor ? store.get().sessions.filter(session => !fresh.has(session.id) && isNewest(session)) : [];
    const sessionsCursor = older.length > 0 ? store.get().sessionsCursor : page.nextCursor;
    store.set({
      sessions: [...page.data, ...older],
      pinned: pinned.data,
      projects: projects.data,
      sessionsCursor,
      sessionsLoaded: true,
    });
    const open = Object.keys(store.get().folders);
    await Promise.all(open.map(key => readFolder(context, toFolder(key))));
  } catch {
    // Keeps the list as it is; the connection banner says that the gateway is away.
  }
}

/** False for a branch of a chat that is in the list with another branch. */
function isNewestIn(listed: readonly SessionSummary[]): (session: SessionSummary) => boolean {
  const roots = new Set(listed.map(({ rootSessionId }) => rootSessionId));
  return ({ id, rootSessionId }) => !roots.has(rootSessionId ?? id);
}

async function readNextPage({ store, rest }: ChatContext): Promise<void> {
  const { sessions, sessionsCursor } = store.get();
  if (!sessionsCursor) return;
  const page = await rest.listSessions({ cursor: sessionsCursor });
  store.set({ sessions: [...sessions, ...page.data], sessionsCursor: page.nextCursor });
}

async function readFolder({ store, rest }: ChatContext, folder: Folder): Promise<void> {
  const page = await rest.listSessions(folder === 'archived' ? { archived: true } : folder);
  store.set({ folders: { ...store.get().folders, [folderKey(folder)]: page.data } });
}

const toFolder = (key: string): Folder => (key === 'archived' ? key : { project: key.slice('project:'.length) });

/** Shows the change at once, and the lists as they were when a request fails. */
async function changeSessions({ store, rest }: ChatContext, ids: readonly string[], change: SessionChange): Promise<void> {
  const { sessions, pinned, folders } = store.get();
  store.set(changeRows(store.get(), ids, change));
  try {
    for (const id of ids) await rest.changeSession(id, change);
  } catch (error) {
    store.set({ sessions, pinned, folders });
    throw error;
  }
}
