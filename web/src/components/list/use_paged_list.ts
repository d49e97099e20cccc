import { useEffect, useRef, useState } from 'preact/hooks';
import { AUTHENTICATED } from '../../api/call_rest';
import { RequestError, refusalOf } from '../../api/request_error';
import type { Page } from '../../api/rest_types';

export type ListStatus = 'loading' | 'ready' | 'failed';

export interface PagedList<T> {
  /** Rows of the list. The rows of an earlier query stay until the new rows are there. */
  rows: readonly T[];
  status: ListStatus;
  /** Why the key of the person may not read the list. */
  refusal?: string | undefined;
  hasMore: boolean;
  /** Reads the next page. Rejects with a RequestError. */
  loadMore(): Promise<void>;
  /** Reads the first page again. */
  reload(): void;
  /**
   * Reads the first page again and keeps what is on the page until then. Resolves with the rows, or with undefined when the answer does not
   * count: it failed, or the list was read or changed in another way since.
   */
  refresh(): Promise<readonly T[] | undefined>;
  /** Changes the rows on the page, such as after an edit. */
  change(edit: (rows: readonly T[]) => readonly T[]): void;
}

interface ListState<T> {
  rows: readonly T[];
  status: ListStatus;
  refusal?: string | undefined;
  cursor?: string;
}

/** Reads a list page by page. `key` names the query: another key starts at the first page of `readPage`. */
export function usePagedList<T>(key: string, readPage: (cursor?: string) => Promise<Page<T>>): PagedList<T> {
  const [list, setList] = useState<ListState<T>>({ rows: [], status: 'loading' });
  /** Number of the latest first page; an answer to an earlier one is out of date. */
  const latest = useRef(0);
  /** Counts changes of the rows. An answer that was requested before a change is dropped, because it may lack the change. */
  const changes = useRef(0);
  const readFirst = async () => {
    const request = ++latest.current;
    setList(before => ({ ...before, status: 'loading' }));
    const next = await readPage().then(toState, (error: unknown): ListState<T> => {
      const isForbidden = error instanceof RequestError && error.code === 'forbidden';
      return { rows: [], status: 'failed', refusal: isForbidden ? refusalOf(error) : undefined };
    });
    if (request === latest.current) setList(next);
  };
  useEffect(() => {
    void readFirst();
    return () => {
      latest.current++;
    };
  }, [key]);
  useEffect(() => {
    const onLogin = () => list.status === 'failed' && void readFirst();
    addEventListener(AUTHENTICATED, onLogin);
    return () => removeEventListener(AUTHENTICATED, onLogin);
  });
  const loadMore = async () => {
    const { cursor } = list;
    const request = latest.current;
    const page = await readPage(cursor);
    if (request !== latest.current) return;
    // A second press of the button asks for the same page.
    setList(before => (before.cursor === cursor ? toState({ ...page, data: [...before.rows, ...page.data] }) : before));
  };
  const refresh = async () => {
    const [request, change] = [latest.current, changes.current];
    const page = await readPage().catch(() => undefined);
    if (!page || request !== latest.current || change !== changes.current) return undefined;
    setList(toState(page));
    return page.data;
  };
  return {
    rows: list.rows,
    status: list.status,
    refusal: list.refusal,
    hasMore: list.cursor !== undefined,
    loadMore,
    reload: () => void readFirst(),
    refresh,
    change: edit => {
      changes.current++;
      setList(before => ({ ...before, rows: edit(before.rows) }));
    },
  };
}

function toState<T>({ data, nextCursor }: Page<T>): ListState<T> {
  return { rows: data, status: 'ready', cursor: nextCursor };
}
