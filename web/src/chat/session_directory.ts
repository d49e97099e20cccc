/** Loads and changes the list of sessions beside the conversation. */
import { RequestError } from '../api/request_error';
import type { Page, SessionChange, SessionQuery, SessionSummary } from '../api/rest_types';
import type { Messages } from '../i18n/messages';
import {
  type ChatPages,
  changeRows,
  type Folder,
  folderKey,
  isInFolder,
  isUnderItsDay,
  putFirstPage,
  removeRows,
} from '../state/chat_lists';
import type { ChatContext } from './chat_context';
import { listKeptChats } from './kept_chats';

export interface SessionDirectory {
  /** Reads the first page again soon; many calls become one. */
  refreshSoon(): void;
  refresh(): Promise<void>;
  /** Reads the first page, once. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Pins, archives or moves chats. Resolves with the ids of the chats that were changed; the page shows how many were not. */
  change(ids: readonly string[], change: SessionChange): Promise<string[]>;
  /** Deletes chats. Resolves with the ids of the chats that are deleted; the page shows how many are not. */
  remove(ids: readonly string[]): Promise<string[]>;
  /** Shows the chats of a folder, which are read now and with every refresh, or hides them. */
  toggleFolder(folder: Folder): Promise<void>;
  /** Shows the next chats of a folder that is open. */
  loadMoreOf(folder: Folder): Promise<void>;
}

const REFRESH_DELAY_MS = 250;
/** Pause after a failed reading while the connection stands: without it nothing would read the lists again. */
const RETRY_PAUSE_MS = 5000;
/** Number of pages that are read at once when none of their chats stands under its day. */
const MAX_PAGES_AT_ONCE = 5;

export function createSessionDirectory(context: ChatContext, messages: () => Messages): SessionDirectory {
  const { store, rest } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loading: Promise<void> | undefined;
  const refreshIn = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), delayMs);
  };
  const refresh = createRefresh(async () => {
    if (context.isSingle || (await readLists(context))) return;
    const { connection, isLoginNeeded } = store.get();
    if (connection === 'online' && !isLoginNeeded) refreshIn(RETRY_PAUSE_MS);
  });
  const refreshSoon = () => refreshIn(REFRESH_DELAY_MS);
  /** Sends a request of the person, and shows a failure. */
  const attempt = async (request: () => Promise<void>): Promise<void> => {
    try {
      await request();
    } catch {
      context.notify(messages().requestFailed);
    }
  };
  /** Shows how many of the chats failed. Returns the others. */
  const report = (ids: readonly string[], failed: readonly string[]): string[] => {
    if (failed.length > 0) context.notify(ids.length === 1 ? messages().requestFailed : messages().chatsFailed(failed.length, ids.length));
    return ids.filter(id => !failed.includes(id));
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
    loadMore: () => attempt(() => readNextPages(context)),
    loadMoreOf: folder => attempt(() => readNextOfFolder(context, folder)),
    rename: async (id, title) => {
      report([id], await changeSessions(context, [id], { title }));
    },
    change: async (ids, change) => {
      const changed = report(ids, await changeSessions(context, ids, change));
      await refresh();
      return changed;
    },
    remove: async ids => {
      const removed = report(ids, await requestEach(ids, rest.deleteSession));
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

/**
 * Returns a function that reads, and reads once more when it is called during a reading: an earlier answer never replaces a later one, and what
 * changed during the reading is seen. Resolves when a reading has ended that began after the call.
 */
function createRefresh(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    reading = read().finally(() => {
      if (!next) reading = undefined;
    });
    return reading;
  };
  return () => {
    if (!reading) return begin();
    next ??= reading.then(begin);
    return next;
  };
}

/** Resolves with false when the gateway did not answer; the lists stay as they are then. */
async function readLists(context: ChatContext): Promise<boolean> {
  const { store, rest } = context;
  try {
    const [page, pinned, projects] = await Promise.all([rest.listSessions(), rest.listPinnedSessions(), rest.listProjects()]);
    const { sessions, sessionsCursor, sessionsLoaded, folders } = store.get();
    // Drop older chats of which another branch was used since.
    const isKept = isNewestIn([...page.data, ...pinned]);
    const { rows, cursor } = putFirstPage({ rows: sessionsLoaded ? sessions : [], cursor: sessionsCursor }, toPages(page), isKept);
    store.set({ sessions: rows, sessionsCursor: cursor, pinned, projects: projects.data, sessionsLoaded: true, isAway: false });
    if (!rows.some(isUnderItsDay)) await readNextPages(context);
    await Promise.all(Object.keys(folders).map(key => readFolder(context, toFolder(key))));
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.isLost) await showKeptList(context);
    return false;
  }
}

/** Shows the chats of this device until the gateway sends the list. */
async function showKeptList(context: ChatContext): Promise<void> {
  const { store } = context;
  if (store.get().sessionsLoaded) return;
  const sessions = await listKeptChats(context);
  if (!store.get().sessionsLoaded) store.set({ sessions, isAway: true });
}

/** False for a branch of a chat that is in the list with another branch. */
function isNewestIn(listed: readonly SessionSummary[]): (session: SessionSummary) => boolean {
  const roots = new Set(listed.map(({ rootSessionId }) => rootSessionId));
  return ({ id, rootSessionId }) => !roots.has(rootSessionId ?? id);
}

/** Reads on until a page has a chat that the list shows under its day: the chats of a page may all be pinned or in projects. */
async function readNextPages({ store, rest }: ChatContext): Promise<void> {
  for (let read = 0; read < MAX_PAGES_AT_ONCE; read++) {
    const { sessionsCursor } = store.get();
    if (!sessionsCursor) return;
    const page = await rest.listSessions({ cursor: sessionsCursor });
    // Another call has read this page.
    if (store.get().sessionsCursor !== sessionsCursor) return;
    store.set({ sessions: [...store.get().sessions, ...page.data], sessionsCursor: page.nextCursor });
    if (page.data.some(isUnderItsDay)) return;
  }
}

async function readFolder({ store, rest }: ChatContext, folder: Folder): Promise<void> {
  const page = await rest.listSessions(queryOf(folder));
  const key = folderKey(folder);
  const isNewest = isNewestIn(page.data);
  const isKept = (row: SessionSummary) => isInFolder(row, folder) && isNewest(row);
  const before = store.get().folders[key] ?? { rows: [] };
  store.set({ folders: { ...store.get().folders, [key]: putFirstPage(before, toPages(page), isKept) } });
}

async function readNextOfFolder({ store, rest }: ChatContext, folder: Folder): Promise<void> {
  const key = folderKey(folder);
  const cursor = store.get().folders[key]?.cursor;
  if (!cursor) return;
  const page = await rest.listSessions({ ...queryOf(folder), cursor });
  const { folders } = store.get();
  const open = folders[key];
  // The folder was closed, or another call has read this page.
  if (!open || open.cursor !== cursor) return;
  store.set({ folders: { ...folders, [key]: { rows: [...open.rows, ...page.data], cursor: page.nextCursor } } });
}

const toPages = ({ data, nextCursor }: Page<SessionSummary>): ChatPages => ({ rows: data, cursor: nextCursor });

const queryOf = (folder: Folder): SessionQuery => (folder === 'archived' ? { archived: true } : folder);

const toFolder = (key: string): Folder => (key === 'archived' ? key : { project: key.slice('project:'.length) });

/** Shows the change at once, and the lists as they were when a request fails. Resolves with the ids of the chats whose request failed. */
async function changeSessions({ store, rest }: ChatContext, ids: readonly string[], change: SessionChange): Promise<string[]> {
  const { sessions, pinned, folders } = store.get();
  store.set(changeRows(store.get(), ids, change));
  const failed = await requestEach(ids, id => rest.changeSession(id, change));
  if (failed.length > 0) store.set({ sessions, pinned, folders });
  return failed;
}

/** Sends a request for each chat. Resolves with the ids of the chats whose request failed; a chat that is deleted already is none of them. */
async function requestEach(ids: readonly string[], request: (id: string) => Promise<unknown>): Promise<string[]> {
  const failed: string[] = [];
  for (const id of ids) {
    try {
      await request(id);
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'not_found')) failed.push(id);
    }
  }
  return failed;
}
