/** The lists of chats at the side: recent ones, pinned ones, and the open folders. Pure. */
import type { SessionChange, SessionSummary } from '../api/rest_types';

/** A project, or the archived chats. */
export type Folder = { project: string } | 'archived';

export interface ChatLists {
  sessions: readonly SessionSummary[];
  pinned: readonly SessionSummary[];
  /** The chats of each folder that is open, by its key. */
  folders: Readonly<Record<string, readonly SessionSummary[]>>;
}

export const folderKey = (folder: Folder): string => (folder === 'archived' ? folder : `project:${folder.project}`);

/** Returns the rows of all lists. A chat may be in several. */
export function allRows({ sessions, pinned, folders }: ChatLists): SessionSummary[] {
  return [...sessions, ...pinned, ...Object.values(folders).flat()];
}

export function removeRows({ sessions, pinned, folders }: ChatLists, ids: readonly string[]): ChatLists {
  const isLeft = ({ id }: SessionSummary) => !ids.includes(id);
  const left = Object.entries(folders).map(([key, rows]) => [key, rows.filter(isLeft)]);
  return { sessions: sessions.filter(isLeft), pinned: pinned.filter(isLeft), folders: Object.fromEntries(left) };
}

/** Applies a change of some chats. A null project becomes no project. */
export function changeRows(
  lists: ChatLists,
  ids: readonly string[],
  { project, instructions: _text, ...change }: SessionChange,
): ChatLists {
  const moved = project === undefined ? {} : { project: project ?? undefined };
  const apply = (rows: readonly SessionSummary[]) => rows.map(row => (ids.includes(row.id) ? { ...row, ...change, ...moved } : row));
  const folders = Object.entries(lists.folders).map(([key, rows]) => [key, apply(rows)]);
  const added = change.pinned ? lists.sessions.filter(row => ids.includes(row.id) && !lists.pinned.some(({ id }) => id === row.id)) : [];
  return {
    sessions: apply(lists.sessions).filter(({ archived }) => !archived),
    pinned: apply([...added, ...lists.pinned]).filter(({ pinned, archived }) => pinned && !archived),
    folders: Object.fromEntries(folders),
  };
}
