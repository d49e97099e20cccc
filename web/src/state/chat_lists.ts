/** The lists of chats at the side: recent ones, pinned ones, and the open folders. Pure. */
import type { SessionChange, SessionSummary } from '../api/rest_types';

/** A project, or the archived chats. */
export type Folder = { project: string } | 'archived';

/** The first pages of a list. */
export interface ChatPages {
  rows: readonly SessionSummary[];
  /** Where the next page begins; absent when there is none. */
  cursor?: string;
}

export interface ChatLists {
  sessions: readonly SessionSummary[];
  pinned: readonly SessionSummary[];
  /** The chats of each folder that is open, by its key. */
  folders: Readonly<Record<string, ChatPages>>;
}

export const folderKey = (folder: Folder): string => (folder === 'archived' ? folder : `project:${folder.project}`);

/** True for a chat that the list shows under its day: not pinned, in no project. */
export const isUnderItsDay = ({ pinned, project }: SessionSummary): boolean => !pinned && project === undefined;

/** True while a chat belongs to the folder. */
export const isInFolder = ({ archived, project }: SessionSummary, folder: Folder): boolean =>
  folder === 'archived' ? archived === true : !archived && project === folder.project;

/**
 * Puts a fresh first page before the older pages that were loaded. `isKept` names the chats of those pages that stay. Drops the older pages when
 * the fresh page does not reach them: chats that no page has may stand between.
 */
export function putFirstPage(before: ChatPages, page: ChatPages, isKept: (row: SessionSummary) => boolean): ChatPages {
  const fresh = new Set(page.rows.map(({ id }) => id));
  const last = page.rows.at(-1);
  const reaches = before.rows.some(({ id, updatedAt }) => id === last?.id && updatedAt === last.updatedAt);
  const older = page.cursor && reaches ? before.rows.filter(row => !fresh.has(row.id) && isKept(row)) : [];
  return { rows: [...page.rows, ...older], cursor: older.length > 0 ? before.cursor : page.cursor };
}

/** Returns the rows of all lists. A chat may be in several. */
export function allRows({ sessions, pinned, folders }: ChatLists): SessionSummary[] {
  return [...sessions, ...pinned, ...Object.values(folders).flatMap(({ rows }) => rows)];
}

export function removeRows({ sessions, pinned, folders }: ChatLists, ids: readonly string[]): ChatLists {
  const isLeft = ({ id }: SessionSummary) => !ids.includes(id);
  return { sessions: sessions.filter(isLeft), pinned: pinned.filter(isLeft), folders: mapRows(folders, rows => rows.filter(isLeft)) };
}

/** Applies a change of some chats. A null project becomes no project. */
export function changeRows(
  lists: ChatLists,
  ids: readonly string[],
  { project, instructions: _text, ...change }: SessionChange,
): ChatLists {
  const moved = project === undefined ? {} : { project: project ?? undefined };
  const apply = (rows: readonly SessionSummary[]) => rows.map(row => (ids.includes(row.id) ? { ...row, ...change, ...moved } : row));
  const added = change.pinned ? lists.sessions.filter(row => ids.includes(row.id) && !lists.pinned.some(({ id }) => id === row.id)) : [];
  return {
    sessions: apply(lists.sessions).filter(({ archived }) => !archived),
    pinned: apply([...added, ...lists.pinned]).filter(({ pinned, archived }) => pinned && !archived),
    folders: mapRows(lists.folders, apply),
  };
}

function mapRows(folders: ChatLists['folders'], map: (rows: readonly SessionSummary[]) => readonly SessionSummary[]): ChatLists['folders'] {
  return Object.fromEntries(Object.entries(folders).map(([key, { rows, cursor }]) => [key, { rows: map(rows), cursor }]));
}
